module driver

go 1.24

require mrtr v0.0.0

replace mrtr => ../../../bindings/go
