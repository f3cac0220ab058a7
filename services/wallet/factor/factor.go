// Package factor stores wallets that only their user can open: the entropy, encrypted in the frame, and for each factor the server's half of the
// key that decrypts it, sealed. The other half stays with the factor: in a device, or encrypted by a passkey or a password.
package factor

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hawser-dev/hawser/services/platform/clock"
	"github.com/hawser-dev/hawser/services/platform/seal"
)

// MaxFactors bounds the factors of a wallet.
const MaxFactors = 64

var (
	// ErrExists means that the user has a wallet.
	ErrExists = errors.New("the user has a wallet")
	// ErrNoWallet means that the user has none.
	ErrNoWallet = errors.New("the user has no wallet")
	// ErrNoFactor means that the wallet has no such factor, or that it is another device's.
	ErrNoFactor = errors.New("there is no such factor")
	// ErrLast means that a factor is the last one.
	ErrLast = errors.New("the factor is the last one")
	// ErrTooMany means that the wallet has [MaxFactors].
	ErrTooMany = errors.New("the wallet has too many factors")
	// ErrUnproven means that the key of the wallet's address did not sign for the user.
	ErrUnproven = errors.New("the key of the address did not sign for the user")
	// ErrUsed means that a factor with this id exists.
	ErrUsed = errors.New("a factor has this id")
	// ErrPassword means that a check is not that of the password.
	ErrPassword = errors.New("the password does not open the factor")
)

const hour, day = time.Hour, 24 * time.Hour

// limit is how many wrong passwords are accepted in a period.
type limit struct {
	guesses int
	period  time.Duration
}

// Wrong passwords are limited per factor. The limits of all devices are higher than those of one: a device that guesses
// does not keep the others from the wallet.
var (
	limitsOfDevice = []limit{{5, hour}, {20, day}}
	limitsOfAll    = []limit{{20, hour}, {60, day}}
)

// GuessedError is the error of a password after too many wrong ones.
type GuessedError struct{ After time.Duration }

// Error returns how long to wait.
func (e *GuessedError) Error() string {
	return fmt.Sprintf("wait %s before the next password", e.After)
}

// Kind is the kind of a factor, which has the other half of a key.
type Kind string

// The kinds.
const (
	Device   Kind = "device"
	Passkey  Kind = "passkey"
	Password Kind = "password"
	Login    Kind = "login"
)

// Account is a public address of a wallet.
type Account struct {
	Namespace string `json:"namespace"`
	Address   string `json:"address"`
	Kind      string `json:"kind,omitempty"`
	// Proven reports whether the key of the address signed for the user. Other addresses are only declared by the
	// frame.
	Proven bool `json:"proven,omitempty"`
}

// Wallet is the server's data of a wallet.
type Wallet struct {
	ID, UserID string
	// Version is the version of the encryption of Blob, the encrypted entropy.
	Version   uint32
	Blob      []byte
	Accounts  []Account
	CreatedAt time.Time
}

// Factor opens a wallet.
type Factor struct {
	ID, UserID, WalletID string
	Kind                 Kind
	Label                string
	// Device is the thumbprint of the key of a device factor; empty for other factors.
	Device string
	// Half is the sealed half of the key.
	Half string
	// Record is the data that the factor stored, in base64; sealed for a login factor.
	Record string
	// Parameters say how a key is derived from a password, in base64, and CheckHash is the SHA-256 of what proves the
	// password, in hex digits; both are empty for other factors, and for passwords of earlier releases.
	Parameters, CheckHash string
	CreatedAt, UsedAt     time.Time
}

// New is a factor to store.
type New struct {
	ID     string
	Kind   Kind
	Label  string
	Half   seal.Secret
	Record seal.Secret
	// Parameters and Check are those of a password.
	Parameters []byte
	Check      seal.Secret
}

// Owner is the calling user and device.
type Owner struct{ Project, UserID, Device string }

// Opened is the data with which one factor opens a wallet.
type Opened struct {
	Wallet *Wallet
	Factor *Factor
	Half   seal.Secret
	Record seal.Secret
}

// Wallets stores wallets and returns halves of keys.
type Wallets struct {
	store  Store
	sealer *seal.Sealer
	clock  clock.Clock
}

// NewWallets returns wallets in a store.
func NewWallets(s Store, sealer *seal.Sealer, c clock.Clock) *Wallets { return &Wallets{s, sealer, c} }

// Create stores a wallet with its first factors. It fails with [ErrExists].
func (w *Wallets) Create(ctx context.Context, o Owner, created Wallet, factors []New) error {
	created.UserID, created.CreatedAt = o.UserID, w.now()
	sealed := make([]*Factor, len(factors))
	for i, f := range factors {
		var err error
		if sealed[i], err = w.seal(ctx, o, created.ID, f); err != nil {
			return err
		}
	}
	return w.store.InsertWallet(ctx, &created, sealed)
}

// Find returns the wallet of a user. It fails with [ErrNoWallet].
func (w *Wallets) Find(ctx context.Context, userID string) (*Wallet, error) {
	return w.store.FindWallet(ctx, userID)
}

// OwnersOf returns the ids of the users whose wallets have an address, at most limit, the newest wallet first.
func (w *Wallets) OwnersOf(ctx context.Context, address string, limit int) ([]string, error) {
	return w.store.OwnersOf(ctx, address, limit)
}

// List returns the factors of a user, the oldest first.
func (w *Wallets) List(ctx context.Context, userID string) ([]*Factor, error) {
	return w.store.ListFactors(ctx, userID)
}

// Open returns the half of one factor. A password needs its check. It fails with [ErrNoWallet], [ErrNoFactor],
// [ErrPassword], [*GuessedError], or an error of [seal.Sealer]. isLast reports whether the check was wrong so often that
// the next one is refused.
func (w *Wallets) Open(ctx context.Context, o Owner, id string, check []byte) (opened *Opened, isLast bool, err error) {
	wallet, err := w.store.FindWallet(ctx, o.UserID)
	if err != nil {
		return nil, false, err
	}
	found, isLast, err := w.store.UseFactor(ctx, o.UserID, id, o.Device, hashOf(check), w.now())
	if err != nil {
		return nil, isLast, err
	}
	opened = &Opened{Wallet: wallet, Factor: found}
	if opened.Half, err = w.sealer.Open(ctx, found.Half, boundTo(o.Project, found, "half")); err != nil {
		return nil, false, err
	}
	opened.Record, err = w.record(ctx, o, found)
	return opened, false, err
}

// Add adds a factor; a device factor replaces the previous one of the same device, and another one the password with the
// id replaces, unless that is empty. It fails with [ErrNoWallet], [ErrNoFactor], [ErrTooMany] or [ErrUsed].
func (w *Wallets) Add(ctx context.Context, o Owner, f New, replaces string) error {
	wallet, err := w.store.FindWallet(ctx, o.UserID)
	if err != nil {
		return err
	}
	sealed, err := w.seal(ctx, o, wallet.ID, f)
	if err != nil {
		return err
	}
	return w.store.InsertFactor(ctx, sealed, replaces)
}

// Remove deletes a factor. It fails with [ErrNoFactor] or [ErrLast].
func (w *Wallets) Remove(ctx context.Context, userID, id string) error {
	return w.store.DeleteFactor(ctx, userID, id, w.now())
}

// DeleteGuesses deletes the guesses that do not count any more.
func (w *Wallets) DeleteGuesses(ctx context.Context) error {
	return w.store.DeleteGuesses(ctx, w.now().Add(-day))
}

// RecordOf returns the record of a factor that a device may have before it opens the wallet: of a passkey, and of a
// password without a check. With the record of a password, passwords can be tried without the server.
func (f *Factor) RecordOf() ([]byte, error) {
	if f.Kind == Login || f.Kind == Device || f.CheckHash != "" {
		return nil, nil
	}
	return base64.StdEncoding.DecodeString(f.Record)
}

func (w *Wallets) seal(ctx context.Context, o Owner, walletID string, f New) (*Factor, error) {
	sealed := &Factor{
		ID: f.ID, UserID: o.UserID, WalletID: walletID, Kind: f.Kind, Label: f.Label, CreatedAt: w.now(),
		Parameters: base64.StdEncoding.EncodeToString(f.Parameters), CheckHash: hashOf(f.Check),
	}
	if f.Kind == Device {
		sealed.Device = o.Device
	}
	var err error
	if sealed.Half, err = w.sealer.Seal(ctx, f.Half, boundTo(o.Project, sealed, "half")); err != nil {
		return nil, err
	}
	if f.Kind == Login {
		sealed.Record, err = w.sealer.Seal(ctx, f.Record, boundTo(o.Project, sealed, "record"))
	} else {
		sealed.Record = base64.StdEncoding.EncodeToString(f.Record)
	}
	return sealed, err
}

func (w *Wallets) record(ctx context.Context, o Owner, f *Factor) (seal.Secret, error) {
	if f.Kind == Login {
		return w.sealer.Open(ctx, f.Record, boundTo(o.Project, f, "record"))
	}
	return base64.StdEncoding.DecodeString(f.Record)
}

// hashOf returns the SHA-256 of a check in hex digits; empty for none. A check is derived with the cost of the password,
// so the hash needs no cost of its own.
func hashOf(check []byte) string {
	if len(check) == 0 {
		return ""
	}
	sum := sha256.Sum256(check)
	return hex.EncodeToString(sum[:])
}

// boundTo returns the associated data of a sealed value, so that it cannot be opened as that of another row.
func boundTo(project string, f *Factor, part string) string {
	return strings.Join([]string{project, f.UserID, f.WalletID, f.ID, string(f.Kind), part}, "|")
}

func (w *Wallets) now() time.Time { return w.clock.Now().UTC().Truncate(time.Millisecond) }
