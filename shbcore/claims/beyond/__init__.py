"""Beyond the paper: the printed start, the open question, a shorter smooth half, any schedule, almost sure
statements."""
