// Package display shows a game to the people in the room: a page that follows
// the run that is going on, and one that plays a finished log again. It is read
// by anybody on this machine, asks nobody else for anything, and reaches
// nothing that could change a game.
package display
