"""Network definitions, their export and their cards. A network reaches the engine as a file, never as an import."""
