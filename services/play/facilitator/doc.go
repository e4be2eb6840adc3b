// Package facilitator is what the model that leads a session is told: at
// initialize how the tools are meant, and with each context what its duties
// are.
//
// The texts are instructions and no sandbox: what must hold is held elsewhere.
package facilitator
