KINDS.histogram = { draw: panel => drawCurvePanel(panel, true), rows: curveRows, picture: true };
