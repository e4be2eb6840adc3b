// Package render makes a picture of blocks: a ray for each pixel, shapes of
// boxes, colours of our own, a sun with hard shadows, fog, and nothing of the
// game's own pictures. It is a pure function of a scene and a pose.
package render
