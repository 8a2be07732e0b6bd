"""The verbs, a module for each group that shares its imports."""
