package sqlstore

import (
	"io/fs"
	"testing"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
)

func TestTablesOfEarlierReleasesAreBroughtToThisOne(t *testing.T) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		t.Fatal(err)
	}
	for version := int64(1); version <= storetest.Newest(t, files); version++ {
		storetest.Each(t, func(t *testing.T, db *store.DB) {
			storetest.MigrateTo(t, db, "onramp_sandbox", files, version)
			filled := storetest.Fill(t, db, nil)
			if err := Migrate(t.Context(), db); err != nil {
				t.Fatal(err)
			}
			filled.Check(t, db, nil)
		})
	}
}
