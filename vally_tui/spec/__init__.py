"""The eval spec as text that must survive: read with positions, edited by splices, saved with care."""
