module mrtr

go 1.24
