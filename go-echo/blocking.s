// Empty: that there is such a file lets blocking.go declare functions of the runtime without a body.
