package play

import (
	"bufio"
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

// reportStart is how much of a report is made before its reply begins: what
// goes wrong until then is a problem document.
const reportStart = 64 << 10

// VisitGetReportResponse implements playapi.GetReportResponseObject. What fails
// once the reply has begun cuts it off, so that nobody takes a part for the
// whole.
func (p reportReply) VisitGetReportResponse(w http.ResponseWriter) error {
	out := &reportWriter{reply: w, head: func(h http.Header) {
		h.Set("Content-Type", "text/markdown; charset=utf-8")
		h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="play-%s.%s.md"`, p.id, p.language))
	}}
	buffered := bufio.NewWriterSize(out, reportStart)
	err := report.Write(buffered, p.data, p.language)
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil && out.begun {
		eventOf(p.context).err = err
		panic(http.ErrAbortHandler)
	}
	return err
}

// reportWriter begins the reply with the first piece.
type reportWriter struct {
	reply http.ResponseWriter
	head  func(http.Header)
	begun bool
}

// Write implements io.Writer.
func (w *reportWriter) Write(piece []byte) (int, error) {
	if !w.begun {
		w.begun = true
		w.head(w.reply.Header())
		w.reply.WriteHeader(http.StatusOK)
	}
	return w.reply.Write(piece)
}
