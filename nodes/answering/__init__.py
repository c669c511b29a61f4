"""What calls came to, in words: of a response, of a subtask that was given up, of the whole query."""
