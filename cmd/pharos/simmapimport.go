package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pharos-mcp/pharos/services/simulator/city/osm"
)

const simMapImportUsage = `usage: pharos sim mapimport [-json] [-id ID] -out FILE.json FILE.osm

Makes a map of the game of a piece of OpenStreetMap, as its XML, and says what it
left out: roads that are not connected with the others, houses that no road
reaches or that overlap, and outlines that are not whole. The game comes with its
maps; another one is for those who build a simulator of their own.

  -id ID      the name of the map; that of the file by default
  -out FILE   where the map goes; it must not be there
`

// importMap is `pharos sim mapimport`.
func importMap(_ context.Context, s simContext, args []string) error {
	flags := newFlags("sim mapimport")
	asJSON := flags.Bool("json", false, "")
	id := flags.String("id", "", "")
	out := flags.String("out", "", "")
	if err := parseFlags(flags, args, simMapImportUsage); err != nil {
		return err
	}
	if err := operands("sim mapimport", flags.Args(), "FILE.osm"); err != nil {
		return err
	}
	if *out == "" {
		return usageError("sim mapimport needs -out FILE.json")
	}
	name := flags.Arg(0)
	if *id == "" {
		*id = strings.ToLower(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)))
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	m, report, err := osm.Import(file, *id)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := writeNew(*out, m.Encode()); err != nil {
		return err
	}
	found := struct {
		Map string `json:"map"`
		osm.Report
	}{*out, report}
	return s.report(*asJSON, found, fmt.Sprintf(`%s: %d roads, %d buildings, %d depots
left out: %d roads that are not connected, %d with ends that are not in the file
          %d buildings that no road reaches, %d that overlap, %d without a whole outline, %d that are relations
`, *out, report.Roads, report.Buildings, report.Depots, report.Unconnected, report.Torn,
		report.Unreached, report.Overlapping, report.Formless, report.Relations))
}

// writeNew writes a file that is not there yet.
func writeNew(name string, data []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
