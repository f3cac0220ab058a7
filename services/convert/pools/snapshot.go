package pools

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/holiman/uint256"

	"github.com/hawser-dev/hawser/services/onchain/evm"
)

// snapshotMagic is the version of the file format. A checksum of the rest of the file follows it.
const snapshotMagic = "hawser pools 1\n"

var errSnapshot = errors.New("the snapshot is damaged or of another form")

// snapshot is the state of a chain's pools on disk.
type snapshot struct {
	ChainID string
	Head    savedHead
	// Factories are those whose pools were searched.
	Factories []evm.Address
	Pools     []savedPool
	Looked    [][2]evm.Address
}

type savedHead struct {
	Number       uint64
	Hash, Parent [32]byte
	Time         int64
}

// savedPool is one pool, with either Reserves or Position.
type savedPool struct {
	Address, Token0, Token1, Factory evm.Address
	Fee                              uint32
	Reserves                         *[2][4]uint64
	Position                         *savedPosition
}

type savedPosition struct {
	SqrtPrice, Liquidity [4]uint64
	Tick, Low, High      int32
	Ticks                []savedTick
}

type savedTick struct {
	Index      int32
	Gross, Net [4]uint64
}

// path returns the file of the chain's snapshot; empty if snapshots are off.
func (f *tracker) path() string {
	if f.config.Snapshots == "" {
		return ""
	}
	return filepath.Join(f.config.Snapshots, strings.ReplaceAll(f.chain.ID, ":", "-")+".pools")
}

// save writes a snapshot. A failure is logged: the next start then reads more from the chain.
func (f *tracker) save() {
	f.saved = f.clock.Now()
	if f.path() == "" || f.state == nil {
		return
	}
	s := f.state.snapshot()
	f.mu.Lock()
	for p := range f.looked.pairs {
		s.Looked = append(s.Looked, p)
	}
	f.mu.Unlock()
	if err := writeSnapshot(f.path(), s); err != nil {
		f.log.Warn("the snapshot of pools was not written", "error", err)
	}
}

// load restores the snapshot. A file that cannot be used is logged and ignored.
func (f *tracker) load(w *chainState) {
	if f.path() == "" {
		return
	}
	s, err := readSnapshot(f.path())
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil && s.ChainID != f.chain.ID {
		err = fmt.Errorf("%w: it is of %s", errSnapshot, s.ChainID)
	}
	if err != nil {
		f.log.Warn("the snapshot of pools is not used", "error", err)
		return
	}
	if !w.restore(s) {
		// The pools of a newer factory were not searched.
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range s.Looked {
		f.looked.pairs[p] = 0
	}
}

// snapshot returns the state without stale pools and pools that never answered.
func (w *chainState) snapshot() snapshot {
	s := snapshot{ChainID: w.chain.ID, Head: savedHead{w.head.number, w.head.hash, w.head.parent, w.head.time}}
	for _, f := range w.factories {
		s.Factories = append(s.Factories, f.address)
	}
	for i, e := range w.entries {
		p := savedPool{Address: e.Address, Token0: e.Token0, Token1: e.Token1, Factory: e.factory.address, Fee: e.Fee}
		switch state := e.state.(type) {
		case *reserves:
			p.Reserves = &[2][4]uint64{state[0], state[1]}
		case *position:
			p.Position = state.saved()
		}
		if e.state != nil && !w.stale[i] {
			s.Pools = append(s.Pools, p)
		}
	}
	return s
}

func (s *position) saved() *savedPosition {
	p := &savedPosition{SqrtPrice: s.sqrtPrice, Liquidity: s.liquidity, Tick: s.tick, Low: s.ladder.low, High: s.ladder.high}
	for _, t := range s.ladder.ticks {
		p.Ticks = append(p.Ticks, savedTick{t.index, t.gross, t.net})
	}
	return p
}

// restore fills an empty state. Pools of removed factories, and of fees that their factory does not have, are left out.
// It returns whether the pools of every factory had been searched, so that they need not be searched again.
func (w *chainState) restore(s snapshot) bool {
	known := map[evm.Address]*factory{}
	for _, f := range w.factories {
		known[f.address] = f
	}
	w.begin(header{s.Head.Number, s.Head.Hash, s.Head.Parent, s.Head.Time})
	for _, p := range s.Pools {
		f, ok := known[p.Factory]
		if !ok || f.kind == V3 && f.v3.Spacing[p.Fee] == 0 {
			continue
		}
		c := candidate{factory: f, pair: pair{p.Token0, p.Token1}, fee: p.Fee, address: p.Address}
		e := entry{Pool: c.pool(), factory: f}
		switch {
		case p.Reserves != nil:
			e.state = &reserves{p.Reserves[0], p.Reserves[1]}
		case p.Position != nil:
			e.state = p.Position.position()
		}
		w.add([]entry{e})
	}
	return !slices.ContainsFunc(w.factories, func(f *factory) bool { return !slices.Contains(s.Factories, f.address) })
}

func (p *savedPosition) position() *position {
	s := &position{sqrtPrice: p.SqrtPrice, liquidity: p.Liquidity, tick: p.Tick, ladder: &ladder{low: p.Low, high: p.High}}
	for _, t := range p.Ticks {
		s.ladder.ticks = append(s.ladder.ticks, tick{index: t.Index, gross: uint256.Int(t.Gross), net: uint256.Int(t.Net)})
	}
	return s
}

// writeSnapshot replaces the file at path atomically.
func writeSnapshot(path string, s snapshot) error {
	var payload bytes.Buffer
	if err := gob.NewEncoder(&payload).Encode(s); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	sum := sha256.Sum256(payload.Bytes())
	for _, part := range [][]byte{[]byte(snapshotMagic), sum[:], payload.Bytes()} {
		if _, err = file.Write(part); err != nil {
			break
		}
	}
	if err == nil {
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

func readSnapshot(path string) (snapshot, error) {
	var s snapshot
	raw, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	rest, ok := bytes.CutPrefix(raw, []byte(snapshotMagic))
	if !ok || len(rest) < sha256.Size {
		return s, errSnapshot
	}
	sum, payload := [sha256.Size]byte(rest[:sha256.Size]), rest[sha256.Size:]
	if sha256.Sum256(payload) != sum {
		return s, fmt.Errorf("%w: its checksum is wrong", errSnapshot)
	}
	if err := gob.NewDecoder(bytes.NewReader(payload)).Decode(&s); err != nil {
		return s, fmt.Errorf("%w: %w", errSnapshot, err)
	}
	return s, nil
}
