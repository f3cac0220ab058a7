package main

import (
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/analytics"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestStatsShowTheCountsOfAProjectByDay(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		t.Setenv("HAWSER_STORE_DSN", dsn)
		const id, other = "00000000000000000000000000000001", "00000000000000000000000000000002"
		kept, err := analytics.NewSQLStore(t.Context(), storetest.Open(t, dsn))
		if err != nil {
			t.Fatal(err)
		}
		day := func(ago int) string { return time.Now().UTC().AddDate(0, 0, -ago).Format(time.DateOnly) }
		count := func(project string, ago int, name, detail string, n int64) analytics.Count {
			return analytics.Count{Key: analytics.Key{Project: project, Day: day(ago), Event: analytics.Event{Name: name, Detail: detail}}, N: n}
		}
		if err := kept.Add(t.Context(), []analytics.Count{
			count(id, 1, "MODAL_OPEN", "", 12), count(id, 1, "CONNECT_SUCCESS", "qrcode", 3), count(id, 40, "MODAL_OPEN", "", 5), count(other, 1, "MODAL_OPEN", "", 99),
		}); err != nil {
			t.Fatal(err)
		}
		for args, want := range map[string]string{
			"":      "DAY         EVENT            DETAIL  COUNT\n" + day(1) + "  CONNECT_SUCCESS  qrcode  3\n" + day(1) + "  MODAL_OPEN               12\n",
			"-json": `{"day":"` + day(1) + `","event":"CONNECT_SUCCESS","detail":"qrcode","count":3}` + "\n" + `{"day":"` + day(1) + `","event":"MODAL_OPEN","count":12}` + "\n",
		} {
			command := []string{"project", "stats", id}
			if args != "" {
				command = append(command, args)
			}
			if code, out, errOut := ask(t, command...); code != exitOK || out != want {
				t.Errorf("exit %d, %s\n%s\nwant\n%s", code, errOut, out, want)
			}
		}
	})
}
