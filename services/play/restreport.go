package play

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/playapi"
	"github.com/pharos-mcp/pharos/services/play/check"
	"github.com/pharos-mcp/pharos/services/play/report"
)

// GetReport implements playapi.StrictServerInterface.
func (h playHandlers) GetReport(
	ctx context.Context, in playapi.GetReportRequestObject,
) (playapi.GetReportResponseObject, error) {
	a, role, err := h.find(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	language := or(in.Params.Lang, visitorOf(ctx).account.Language)
	if err := check.Choice("lang", language, "en", "pl"); err != nil {
		return nil, err
	}
	data, err := h.service.chronicle.ReportData(ctx, a.ID, role)
	if err != nil {
		return nil, err
	}
	return reportReply{ctx, a.ID, data, language}, nil
}

// reportReply writes a report while it is read, which may be long.
type reportReply struct {
	context  context.Context
	id       uuid.UUID
	data     report.Data
	language string
}

// VisitGetReportResponse implements playapi.GetReportResponseObject. What goes
// wrong before the reply begins is a problem document.
func (p reportReply) VisitGetReportResponse(w http.ResponseWriter) error {
	begun, err := report.Download(w, p.data, fmt.Sprintf("play-%s.%s.md", p.id, p.language), p.language)
	if err != nil && begun {
		eventOf(p.context).err = err
		panic(http.ErrAbortHandler)
	}
	return err
}
