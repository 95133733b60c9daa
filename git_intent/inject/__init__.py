"""Select the requirements that bear on a task and put them into its prompt."""
