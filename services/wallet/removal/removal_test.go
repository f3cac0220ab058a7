package removal_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hawser-dev/hawser/services/platform/store"
	"github.com/hawser-dev/hawser/services/platform/store/storetest"
	"github.com/hawser-dev/hawser/services/wallet/removal"
	"github.com/hawser-dev/hawser/services/wallet/schema"
)

const user, factor = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"

func open(t *testing.T) *store.DB {
	t.Helper()
	db := storetest.Open(t, storetest.SQLite(t))
	if err := schema.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return db
}

// A write that fails half-way, as on a full disk, leaves a line without its end. That must not hide the next removal, and
// the id of a user without the factor must not remove the user.
func TestALineWithoutItsEndIsNotARemoval(t *testing.T) {
	for _, rest := range []string{user + " " + factor[:8], user + " ", user, user[:8]} {
		dir, now := t.TempDir(), time.Now()
		other := removal.Removal{User: factor}
		if err := os.WriteFile(filepath.Join(dir, "wallet.removed"), []byte(other.User+"\n"+rest), 0o600); err != nil {
			t.Fatal(err)
		}
		if found := lost(t, dir); !slices.Equal(found, []removal.Removal{other}) {
			t.Errorf("%q: the file has %v", rest, found)
		}
		before := open(t)
		list, err := removal.Open(before, removal.Wallets, removal.Folder{Own: dir}, "wallet.removed", now)
		if err != nil {
			t.Fatal(err)
		}
		removed := removal.Removal{User: user, Item: factor}
		if err := before.InTx(t.Context(), func(tx *store.Tx) error { return removal.Wallets.Insert(t.Context(), tx, removed, now) }); err != nil {
			t.Fatal(err)
		}
		if err := list.Copy(t.Context(), now); err != nil {
			t.Fatal(err)
		}
		if found := lost(t, dir); !slices.Equal(found, []removal.Removal{removed, other}) {
			t.Errorf("%q and another removal: the file has %v", rest, found)
		}
	}
}

// lost returns the removals of a file that an empty database does not have, by user.
func lost(t *testing.T, dir string) (found []removal.Removal) {
	t.Helper()
	list, err := removal.Open(open(t), removal.Wallets, removal.Folder{Own: dir}, "wallet.removed", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := list.Lost(t.Context(), time.Now(), func(r removal.Removal) (bool, error) {
		found = append(found, r)
		return true, nil
	}); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(found, func(a, b removal.Removal) int { return strings.Compare(a.User, b.User) })
	return found
}

// A database whose backup is older than the last mark is found as well if nothing was removed since.
func TestAMarkOfAnHourFindsARestoredDatabase(t *testing.T) {
	db, dir, now := open(t), t.TempDir(), time.Now()
	list, err := removal.Open(db, removal.Wallets, removal.Folder{Own: dir}, "wallet.removed", now)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Time{now, now.Add(30 * time.Minute), now.Add(61 * time.Minute)} {
		if err := list.Mark(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		if err := list.Copy(t.Context(), at); err != nil {
			t.Fatal(err)
		}
	}
	if found := lost(t, dir); len(found) != 2 || !found[0].IsMark() {
		t.Errorf("marks %v", found)
	}
	// After a month, neither the file nor the database has them.
	later := now.Add(32 * 24 * time.Hour)
	if err := list.Mark(t.Context(), later); err != nil {
		t.Fatal(err)
	}
	reopened, err := removal.Open(db, removal.Wallets, removal.Folder{Own: dir}, "wallet.removed", later)
	if err != nil {
		t.Fatal(err)
	}
	if err := reopened.Lost(t.Context(), later, func(r removal.Removal) (bool, error) {
		t.Errorf("%v is lost", r)
		return true, nil
	}); err != nil {
		t.Fatal(err)
	}
	if raw, err := os.ReadFile(filepath.Join(dir, "wallet.removed")); err != nil || len(raw) != 0 {
		t.Errorf("the file has %q, %v", raw, err)
	}
}

// A process with its database and its events elsewhere has nothing in its data directory before the first removal.
func TestTheFirstRemovalOfANewDataDirectoryIsKept(t *testing.T) {
	db, dir, now := open(t), filepath.Join(t.TempDir(), "data", "hawser"), time.Now()
	list, err := removal.Open(db, removal.Wallets, removal.Folder{Own: dir}, "wallet.removed", now)
	if err != nil {
		t.Fatal(err)
	}
	removed := removal.Removal{User: user}
	if err := db.InTx(t.Context(), func(tx *store.Tx) error { return removal.Wallets.Insert(t.Context(), tx, removed, now) }); err != nil {
		t.Fatal(err)
	}
	if err := list.Copy(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	if found := lost(t, dir); !slices.Equal(found, []removal.Removal{removed}) {
		t.Errorf("the file has %v", found)
	}
}

// Pods of a cluster share a volume, and a pod that starts after a restore has another name than those before it.
func TestAReplicaFindsWhatOthersOfASharedFolderListed(t *testing.T) {
	shared, now := t.TempDir(), time.Now()
	folder := func(name string) removal.Folder {
		return removal.Folder{Own: filepath.Join(shared, name), Shared: shared}
	}
	before := open(t)
	removed, other := removal.Removal{User: user, Item: factor}, removal.Removal{User: factor}
	for i, r := range []removal.Removal{removed, other} {
		list, err := removal.Open(before, removal.Wallets, folder([]string{"a", "b"}[i]), "wallet.removed", now)
		if err != nil {
			t.Fatal(err)
		}
		if err := before.InTx(t.Context(), func(tx *store.Tx) error { return removal.Wallets.Insert(t.Context(), tx, r, now) }); err != nil {
			t.Fatal(err)
		}
		if err := list.Copy(t.Context(), now); err != nil {
			t.Fatal(err)
		}
	}
	// One of the first pods ended long ago; the other one may still run.
	long := now.Add(-3 * 24 * time.Hour)
	if err := os.Chtimes(filepath.Join(shared, "a", "wallet.removed"), long, long); err != nil {
		t.Fatal(err)
	}

	for _, name := range []string{"c", "d"} {
		list, err := removal.Open(open(t), removal.Wallets, folder(name), "wallet.removed", now)
		if err != nil {
			t.Fatal(err)
		}
		var found []removal.Removal
		if err := list.Lost(t.Context(), now, func(r removal.Removal) (bool, error) { found = append(found, r); return false, nil }); err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(found, func(a, b removal.Removal) int { return strings.Compare(a.User, b.User) })
		if !slices.Equal(found, []removal.Removal{removed, other}) {
			t.Errorf("%s finds %v", name, found)
		}
	}
	left, err := filepath.Glob(filepath.Join(shared, "*", "wallet.removed"))
	if want := []string{"b", "c", "d"}; err != nil || len(left) != len(want) || !strings.HasSuffix(left[0], "/b/wallet.removed") {
		t.Errorf("left are %q, %v", left, err)
	}
}
