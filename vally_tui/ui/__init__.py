"""The Textual screen; nothing below it knows of Textual."""
