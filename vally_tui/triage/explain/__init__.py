"""Why a grader says what it says, with places and mends. Each file owns one question; ``explain`` asks them all."""
