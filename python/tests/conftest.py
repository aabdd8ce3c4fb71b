"""Figures are drawn without a display."""

import matplotlib

matplotlib.use("Agg")
