"""V8 in a process of its own, which can be killed; answers the searches that grading asks for."""
