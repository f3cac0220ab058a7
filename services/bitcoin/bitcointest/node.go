// Package bitcointest runs a private Bitcoin network (regtest) for tests: btcd's chain, mempool and miner, behind the
// HTTP API of Esplora. It checks signatures, fees, dust and double spends as other nodes do.
package bitcointest

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/btcsuite/btcd/blockchain"
	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcutil"
	"github.com/btcsuite/btcd/chaincfg"
	"github.com/btcsuite/btcd/database"
	_ "github.com/btcsuite/btcd/database/ffldb" // the store of blocks
	"github.com/btcsuite/btcd/mempool"
	"github.com/btcsuite/btcd/mining"
	"github.com/btcsuite/btcd/txscript"
	"github.com/btcsuite/btcd/wire"
)

// ChainID is the CAIP-2 id of the network.
const ChainID = "bip122:0f9188f13cb7b2c71f2a335e3a4fc328"

// firstBlocks is how many blocks are mined when the network starts: SegWit and Taproot are active after three periods
// of 144 blocks, and a miner's reward can be spent after 100 blocks.
const firstBlocks = 3*144 + 100

// Node is a node of the network, its only miner, and an index of its transactions.
type Node struct {
	mu        sync.Mutex
	db        database.DB
	chain     *blockchain.BlockChain
	pool      *mempool.TxPool
	generator *mining.BlkTmplGenerator
	// key is the private key of the miner.
	key    *btcec.PrivateKey
	wallet btcutil.Address
	// records are the transactions in blocks, in their order.
	records []record
}

// record is a transaction and its position.
type record struct {
	tx *btcutil.Tx
	// height is the height of its block; 0 if it is in the mempool.
	height int32
	block  string
	time   time.Time
}

// Start starts a network whose blocks are stored below dir, or continues the one that is stored there. Transactions in
// the mempool are not stored. Close stops it.
func Start(dir string) (*Node, error) {
	params := &chaincfg.RegressionNetParams
	db, err := openBlocks(filepath.Join(dir, "blocks"), params.Net)
	if err != nil {
		return nil, err
	}
	signatures, hashes, source := txscript.NewSigCache(1000), txscript.NewHashCache(1000), blockchain.NewMedianTime()
	chain, err := blockchain.New(&blockchain.Config{DB: db, ChainParams: params, TimeSource: source, SigCache: signatures, HashCache: hashes, UtxoCacheMaxSize: 8 << 20})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	pool := mempool.New(&mempool.Config{
		// Free transactions are refused: the rate limit for transactions below the minimum fee is zero.
		Policy:      mempool.Policy{MaxTxVersion: 2, DisableRelayPriority: true, MaxSigOpCostPerTx: blockchain.MaxBlockSigOpsCost / 4, MinRelayTxFee: mempool.DefaultMinRelayTxFee},
		ChainParams: params, FetchUtxoView: chain.FetchUtxoView, SigCache: signatures, HashCache: hashes,
		BestHeight:     func() int32 { return chain.BestSnapshot().Height },
		MedianTimePast: func() time.Time { return chain.BestSnapshot().MedianTime },
		CalcSequenceLock: func(tx *btcutil.Tx, view *blockchain.UtxoViewpoint) (*blockchain.SequenceLock, error) {
			return chain.CalcSequenceLock(tx, view, true)
		},
		IsDeploymentActive: chain.IsDeploymentActive,
	})
	key, _ := btcec.PrivKeyFromBytes(bytes.Repeat([]byte{0x4d}, 32))
	wallet, err := btcutil.NewAddressWitnessPubKeyHash(btcutil.Hash160(key.PubKey().SerializeCompressed()), params)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	policy := &mining.Policy{BlockMaxWeight: blockchain.MaxBlockWeight - 4000, BlockMaxSize: blockchain.MaxBlockBaseSize - 1000, TxMinFreeFee: mempool.DefaultMinRelayTxFee}
	n := &Node{db: db, chain: chain, pool: pool, generator: mining.NewBlkTmplGenerator(policy, params, pool, chain, source, signatures, hashes), key: key, wallet: wallet}
	start := n.readBlocks
	if chain.BestSnapshot().Height == 0 {
		start = func() error { return n.Mine(firstBlocks) }
	}
	if err := start(); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	return n, nil
}

func openBlocks(dir string, net wire.BitcoinNet) (database.DB, error) {
	if _, err := os.Stat(dir); err == nil {
		return database.Open("ffldb", dir, net)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o750); err != nil {
		return nil, err
	}
	return database.Create("ffldb", dir, net)
}

// readBlocks reads the transactions of the stored blocks.
func (n *Node) readBlocks() error {
	for height := int32(1); height <= n.chain.BestSnapshot().Height; height++ {
		block, err := n.chain.BlockByHeight(height)
		if err != nil {
			return err
		}
		n.record(block, height)
	}
	return nil
}

// record adds the transactions of a block.
func (n *Node) record(block *btcutil.Block, height int32) {
	for _, tx := range block.Transactions() {
		n.records = append(n.records, record{tx, height, block.Hash().String(), block.MsgBlock().Header.Timestamp})
	}
}

// Close stops the network.
func (n *Node) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return errors.Join(n.chain.FlushUtxoCache(blockchain.FlushRequired), n.db.Close())
}

// Mine mines blocks. The first one has the transactions of the mempool.
func (n *Node) Mine(blocks int) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for range blocks {
		if err := n.mine(); err != nil {
			return err
		}
	}
	return nil
}

func (n *Node) mine() error {
	template, err := n.generator.NewBlockTemplate(n.wallet)
	if err != nil {
		return err
	}
	block := template.Block
	for target := blockchain.CompactToBig(block.Header.Bits); ; block.Header.Nonce++ {
		hash := block.Header.BlockHash()
		if blockchain.HashToBig(&hash).Cmp(target) <= 0 {
			break
		}
	}
	mined := btcutil.NewBlock(block)
	if _, _, err := n.chain.ProcessBlock(mined, blockchain.BFNone); err != nil {
		return err
	}
	for _, tx := range mined.Transactions() {
		n.pool.RemoveTransaction(tx, false)
		n.pool.RemoveDoubleSpends(tx)
	}
	n.record(mined, n.chain.BestSnapshot().Height)
	return nil
}

// Send adds a transaction to the mempool, if it is valid and standard.
func (n *Node) Send(text string) (id string, err error) {
	raw, err := hex.DecodeString(text)
	if err != nil {
		return "", err
	}
	tx, err := btcutil.NewTxFromBytes(raw)
	if err != nil {
		return "", err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.pool.HaveTransaction(tx.Hash()) {
		return tx.Hash().String(), nil
	}
	if _, err := n.pool.ProcessTransaction(tx, false, true, 0); err != nil {
		return "", err
	}
	return tx.Hash().String(), nil
}

// Fund pays satoshis of the miner to an address, in a new block.
func (n *Node) Fund(address string, satoshis int64) error {
	to, err := btcutil.DecodeAddress(address, &chaincfg.RegressionNetParams)
	if err != nil {
		return err
	}
	script, err := txscript.PayToAddrScript(to)
	if err != nil {
		return err
	}
	tx, err := n.pay(script, satoshis)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := tx.Serialize(&b); err != nil {
		return err
	}
	if _, err := n.Send(hex.EncodeToString(b.Bytes())); err != nil {
		return err
	}
	return n.Mine(1)
}

// Miner returns the address of the miner, in bech32.
func (n *Node) Miner() string { return n.wallet.EncodeAddress() }

// Coin is an output of a transaction.
type Coin struct {
	// ID is the transaction's id, Index the position of the output, Height the height of its block.
	ID     string
	Index  uint32
	Height int32
}

// Newest returns the newest unspent output of an address, or the zero value.
func (n *Node) Newest(address string) Coin {
	to, err := btcutil.DecodeAddress(address, &chaincfg.RegressionNetParams)
	if err != nil {
		return Coin{}
	}
	script, err := txscript.PayToAddrScript(to)
	if err != nil {
		return Coin{}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	coins := n.unspent(script)
	if len(coins) == 0 {
		return Coin{}
	}
	last := coins[len(coins)-1]
	return Coin{last.tx.Hash().String(), last.index, last.height}
}

// pay spends the miner's largest spendable rewards. Change is paid back to the miner.
func (n *Node) pay(script []byte, satoshis int64) (*wire.MsgTx, error) {
	const fee = 20_000
	own, err := txscript.PayToAddrScript(n.wallet)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	coins := n.unspent(own)
	best := n.chain.BestSnapshot().Height
	n.mu.Unlock()
	slices.SortFunc(coins, func(a, b output) int { return int(b.value - a.value) })
	tx := wire.NewMsgTx(2)
	var spent []output
	total := int64(0)
	for _, c := range coins {
		if total >= satoshis+fee {
			break
		}
		if c.height == 0 || blockchain.IsCoinBase(c.tx) && best-c.height < 100 {
			continue
		}
		spent, total = append(spent, c), total+c.value
		tx.AddTxIn(wire.NewTxIn(wire.NewOutPoint(c.tx.Hash(), c.index), nil, nil))
	}
	if total < satoshis+fee {
		return nil, fmt.Errorf("the miner has %d satoshis that can be spent", total)
	}
	tx.AddTxOut(wire.NewTxOut(satoshis, script))
	if change := total - satoshis - fee; change > 1000 {
		tx.AddTxOut(wire.NewTxOut(change, own))
	}
	previous := txscript.NewMultiPrevOutFetcher(nil)
	for i, c := range spent {
		previous.AddPrevOut(tx.TxIn[i].PreviousOutPoint, wire.NewTxOut(c.value, own))
	}
	hashes := txscript.NewTxSigHashes(tx, previous)
	for i, c := range spent {
		if tx.TxIn[i].Witness, err = txscript.WitnessSignature(tx, hashes, i, c.value, own, txscript.SigHashAll, n.key, true); err != nil {
			return nil, err
		}
	}
	return tx, nil
}
