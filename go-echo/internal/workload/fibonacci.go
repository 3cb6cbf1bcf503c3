package workload

// Fibonacci is the n-th number, of 0, 1, 1, 2, 3, 5, by the naive recursion of about 1.6^n calls: work that keeps a
// processor busy and touches no memory to speak of.
//
//go:noinline
func Fibonacci(n int) int64 {
	if n < 2 {
		return int64(n)
	}
	return Fibonacci(n-1) + Fibonacci(n-2)
}

// KnownFibonacci is the same by addition, to check others against.
func KnownFibonacci(n int) int64 {
	a, b := int64(0), int64(1)
	for range n {
		a, b = b, a+b
	}
	return a
}
