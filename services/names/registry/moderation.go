package registry

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// MaxBlocks is how many labels are blocked at most.
const MaxBlocks = 10_000

// ErrBlocksFull means that [MaxBlocks] labels are blocked.
var ErrBlocksFull = fmt.Errorf("%d labels are blocked, which is how many there can be", MaxBlocks)

// Block is a label that nobody may register.
type Block struct {
	Label string
	// Skeleton is that of the label: what has the same one is blocked too.
	Skeleton string
	// At is exact to the millisecond.
	At time.Time
}

// Moderation stores what the operator decides about names.
type Moderation interface {
	// Take deletes a name that was registered at a time, without the owner, and returns it. It publishes NameChanged in the same transaction, and fails with
	// [ErrUnregistered].
	Take(ctx context.Context, name Name, registeredAt, now time.Time) (Record, error)
	// AddBlock stores a block unless the label is blocked, and returns the one that is stored. It fails with [ErrBlocksFull].
	AddBlock(ctx context.Context, b Block) (Block, error)
	// RemoveBlock deletes the block of a label, if there is one.
	RemoveBlock(ctx context.Context, label string) error
	// ListBlocks returns at most limit blocks after a label, by label.
	ListBlocks(ctx context.Context, after string, limit int) ([]Block, error)
	// Blocked returns which of the skeletons are blocked.
	Blocked(ctx context.Context, among []string) (map[string]bool, error)
}

// Take releases a name by the will of the operator, if it was registered at a time. It fails with [NameError].
func (r *Registry) Take(ctx context.Context, text string, registeredAt time.Time) (Record, error) {
	name, err := r.Zones.Parse(text)
	if err != nil {
		return Record{}, &NameError{text, err}
	}
	taken, err := r.store.Take(ctx, name, registeredAt, r.Now())
	return taken, about(name, err)
}

// Block keeps a label, and what looks like it, from being registered. It fails with [ErrBlocksFull], or with [NameError] for a text that is no label.
func (r *Registry) Block(ctx context.Context, label string) (Block, error) {
	if !labelForm.MatchString(label) {
		return Block{}, &NameError{label, ErrFormat}
	}
	return r.store.AddBlock(ctx, Block{Label: label, Skeleton: skeleton(label), At: r.Now()})
}

// Unblock lets a label be registered again.
func (r *Registry) Unblock(ctx context.Context, label string) error {
	return r.store.RemoveBlock(ctx, label)
}

// Blocks returns at most limit blocks after a label, by label.
func (r *Registry) Blocks(ctx context.Context, after string, limit int) ([]Block, error) {
	return r.store.ListBlocks(ctx, after, limit)
}

// All returns a name if it is registered, as [Registry.OwnedBy] returns the names of an account.
func (r *Registry) All(ctx context.Context, text string) ([]Record, error) {
	found, err := r.Find(ctx, text)
	if errors.Is(err, ErrUnregistered) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []Record{found}, nil
}

// checkBlock fails with [NameError] if the label of a name is blocked.
func (r *Registry) checkBlock(ctx context.Context, name Name) error {
	blocked, err := r.blocked(ctx, []Name{name})
	if err == nil && blocked[name] {
		err = &NameError{string(name), ErrReserved}
	}
	return err
}

// blocked returns which of the names have a label that is blocked, or one that looks like it.
func (r *Registry) blocked(ctx context.Context, among []Name) (map[Name]bool, error) {
	var skeletons []string
	for _, name := range among {
		skeletons = append(skeletons, skeleton(name.Label()))
	}
	found, err := r.store.Blocked(ctx, skeletons)
	if err != nil {
		return nil, err
	}
	blocked := map[Name]bool{}
	for i, name := range among {
		blocked[name] = found[skeletons[i]]
	}
	return blocked, nil
}
