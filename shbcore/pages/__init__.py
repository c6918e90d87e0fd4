r"""What turns claims and tables into cards, listings, diagrams and figures; the style of the book."""
