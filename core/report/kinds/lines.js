KINDS.lines = { draw: panel => drawCurvePanel(panel, false), rows: curveRows, picture: true };
