package pg

// Fault turns what a database refuses into what a caller may see.
func Fault(err error) error { return err }
