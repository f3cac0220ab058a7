package payout

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	sdk "github.com/gagliardetto/solana-go"

	"github.com/hawser-dev/hawser/services/development/sandbox/checkout"
	"github.com/hawser-dev/hawser/services/development/sandbox/sqlstore"
	"github.com/hawser-dev/hawser/services/onchain/chainclient"
	"github.com/hawser-dev/hawser/services/onchain/svm"
	"github.com/hawser-dev/hawser/services/onramp/ramp"
)

// Instructions of the system program, the token programs and the associated token account program, by their first bytes.
const (
	systemTransfer   = 2
	transferChecked  = 12
	createIdempotent = 1
	mintSize         = 82
	base64Encoding   = "base64"
)

// isSolana reports whether a checkout is paid out on Solana.
func isSolana(chainID string) bool { return strings.HasPrefix(chainID, "solana:") }

// ParseSolanaKey parses a private and a public key: 64 bytes in base58, the form in which wallets import keys.
func ParseSolanaKey(text string) (sdk.PrivateKey, error) {
	key, err := sdk.PrivateKeyFromBase58(text)
	if err != nil || !key.IsValid() {
		return nil, errors.New("not a private key: want 64 bytes in base58")
	}
	return key, nil
}

// paySolana sends the payout of a checkout until it is confirmed, as [Payer.send] does. The transaction can be executed up to a block
// height: if the chain is beyond it without the transaction, another one is signed. Long after the payment a node may have forgotten the
// transaction, and the payment is returned instead.
func (p *Payer) paySolana(ctx context.Context, c checkout.Checkout, known sqlstore.Payout) error {
	status, err := p.solanaStatus(ctx, known)
	if err != nil {
		return err
	}
	if status == pending {
		if status, err = p.sendSolana(ctx, c, known); err != nil {
			return err
		}
	}
	switch status {
	case mined:
		return p.finish(ctx, c, func(c *checkout.Checkout) []ramp.Event { return c.Complete(known.Hash, p.Clock.Now()) })
	case reverted:
		return p.finish(ctx, c, func(c *checkout.Checkout) []ramp.Event { return c.Refund(checkout.PayoutFailed, p.Clock.Now()) })
	case pruned:
		return p.refundUnconfirmed(ctx, c, known)
	}
	return p.wait(ctx, c)
}

// sendSolana sends the transaction and reads its status at once, because development chains execute transactions on
// arrival. It deletes a payout that has expired, because it cannot be executed any more.
func (p *Payer) sendSolana(ctx context.Context, c checkout.Checkout, known sqlstore.Payout) (outcome, error) {
	expired, slot, err := p.hasExpired(ctx, known)
	if err != nil {
		return pending, err
	}
	if expired {
		status, at, err := p.solanaStatusAt(ctx, known)
		if err != nil || status != pending || at < slot {
			return status, err
		}
		if p.Clock.Now().Sub(c.PaidAt) > PrepareFor {
			return pruned, nil
		}
		return pending, p.Store.DeletePayout(ctx, known)
	}
	var signature string
	err = p.call(ctx, known.ChainID, &signature, "sendTransaction", known.Raw, map[string]any{"encoding": base64Encoding, "preflightCommitment": "confirmed"})
	if refusal, ok := errors.AsType[*chainclient.NodeError](err); ok {
		p.Log.Debug("node refused payout", "hash", known.Hash, "error", refusal)
	} else if err != nil {
		return pending, err
	}
	return p.solanaStatus(ctx, known)
}

// hasExpired reports whether a payout cannot be executed after a slot, which a node knows. A node that does not know the blockhash yet is no sign of
// that: only the height of the chain is.
func (p *Payer) hasExpired(ctx context.Context, known sqlstore.Payout) (expired bool, slot uint64, err error) {
	var now struct{ AbsoluteSlot, BlockHeight uint64 }
	if err := p.call(ctx, known.ChainID, &now, "getEpochInfo", confirmed()); err != nil {
		return false, 0, err
	}
	if known.LastHeight > 0 {
		return now.BlockHeight > known.LastHeight, now.AbsoluteSlot, nil
	}
	// The payout is of an earlier version.
	tx, err := sdk.TransactionFromBase64(known.Raw)
	if err != nil {
		return false, 0, fmt.Errorf("stored payout: %w", err)
	}
	var valid struct{ Value bool }
	err = p.call(ctx, known.ChainID, &valid, "isBlockhashValid", tx.Message.RecentBlockhash.String(), confirmed())
	return !valid.Value, now.AbsoluteSlot, err
}

// solanaStatus reads whether a payout was executed.
func (p *Payer) solanaStatus(ctx context.Context, known sqlstore.Payout) (outcome, error) {
	status, _, err := p.solanaStatusAt(ctx, known)
	return status, err
}

// solanaStatusAt reads whether a payout was executed, and up to which slot the node knows.
func (p *Payer) solanaStatusAt(ctx context.Context, known sqlstore.Payout) (status outcome, slot uint64, err error) {
	var statuses struct {
		Context struct{ Slot uint64 }
		Value   []*struct {
			Err                any
			ConfirmationStatus string
		}
	}
	err = p.call(ctx, known.ChainID, &statuses, "getSignatureStatuses", []string{known.Hash}, map[string]any{"searchTransactionHistory": true})
	if err != nil {
		return pending, 0, err
	}
	if len(statuses.Value) != 1 {
		return pending, 0, fmt.Errorf("%w: not the status of one transaction", chainclient.ErrAnswer)
	}
	slot = statuses.Context.Slot
	switch s := statuses.Value[0]; {
	case s == nil || s.ConfirmationStatus == "processed":
		return pending, slot, nil
	case s.Err != nil:
		return reverted, slot, nil
	}
	return mined, slot, nil
}

// signSolana returns the signed transaction of a checkout, in base64. It fails with [errUnpayable] if the chain would refuse it, or
// if the treasury has no key any more.
func (p *Payer) signSolana(ctx context.Context, c checkout.Checkout) (signedPayout, error) {
	if p.SolanaKey == nil {
		return signedPayout{}, fmt.Errorf("%w: the treasury has no key on Solana", errUnpayable)
	}
	instructions, err := p.transferSolana(ctx, c)
	if err != nil {
		return signedPayout{}, err
	}
	var latest struct {
		Value struct {
			Blockhash            sdk.Hash
			LastValidBlockHeight uint64
		}
	}
	if err := p.call(ctx, c.Terms.ChainID, &latest, "getLatestBlockhash", confirmed()); err != nil {
		return signedPayout{}, err
	}
	tx, err := sdk.NewTransaction(instructions, latest.Value.Blockhash, sdk.TransactionPayer(p.SolanaKey.PublicKey()))
	if err != nil {
		return signedPayout{}, err
	}
	if _, err := tx.Sign(func(sdk.PublicKey) *sdk.PrivateKey { return &p.SolanaKey }); err != nil {
		return signedPayout{}, err
	}
	raw, err := tx.ToBase64()
	if err != nil {
		return signedPayout{}, err
	}
	var simulated struct{ Value struct{ Err any } }
	err = p.call(ctx, c.Terms.ChainID, &simulated, "simulateTransaction", raw, map[string]any{"encoding": base64Encoding, "commitment": "confirmed"})
	if err != nil {
		return signedPayout{}, err
	}
	if simulated.Value.Err != nil {
		return signedPayout{}, fmt.Errorf("%w: %v", errUnpayable, simulated.Value.Err)
	}
	return signedPayout{tx.Signatures[0].String(), raw, latest.Value.LastValidBlockHeight}, nil
}

// transferSolana returns the instructions of a payout: a transfer of SOL, or one of a token to the associated account of the wallet, which is
// created if it is missing.
func (p *Payer) transferSolana(ctx context.Context, c checkout.Checkout) ([]sdk.Instruction, error) {
	from := p.SolanaKey.PublicKey()
	to, err := svm.ParseAddress(c.Wallet)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnpayable, err)
	}
	units := checkout.BaseUnits(c.Terms.Purchase, c.Terms.Decimals)
	if !units.IsUint64() {
		return nil, fmt.Errorf("%w: more than 64 bits", errUnpayable)
	}
	if c.Terms.Contract == "" {
		data := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, systemTransfer), units.Uint64())
		return []sdk.Instruction{sdk.NewInstruction(svm.SystemProgram, sdk.AccountMetaSlice{sdk.Meta(from).WRITE().SIGNER(), sdk.Meta(to).WRITE()}, data)}, nil
	}
	mint, err := svm.ParseAddress(c.Terms.Contract)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnpayable, err)
	}
	accounts, err := svm.ReadAccounts(ctx, p.Connect(c.Terms.ChainID), []svm.Address{mint}, mintSize)
	if err != nil {
		return nil, err
	}
	if accounts[0] == nil {
		return nil, fmt.Errorf("%w: there is no such token", errUnpayable)
	}
	program := accounts[0].Program
	source, destination := svm.AssociatedAccount(from, mint, program), svm.AssociatedAccount(to, mint, program)
	data := append(binary.LittleEndian.AppendUint64([]byte{transferChecked}, units.Uint64()), c.Terms.Decimals)
	return []sdk.Instruction{
		sdk.NewInstruction(sdk.SPLAssociatedTokenAccountProgramID, sdk.AccountMetaSlice{
			sdk.Meta(from).WRITE().SIGNER(), sdk.Meta(destination).WRITE(), sdk.Meta(to), sdk.Meta(mint), sdk.Meta(svm.SystemProgram), sdk.Meta(program),
		}, []byte{createIdempotent}),
		sdk.NewInstruction(program, sdk.AccountMetaSlice{sdk.Meta(source).WRITE(), sdk.Meta(mint), sdk.Meta(destination).WRITE(), sdk.Meta(from).SIGNER()}, data),
	}, nil
}

// solanaGenesis returns the genesis hash of a chain.
func (p *Payer) solanaGenesis(ctx context.Context, chainID string) (hash string, err error) {
	return hash, p.call(ctx, chainID, &hash, "getGenesisHash")
}

// call reads the result of one method into a value.
func (p *Payer) call(ctx context.Context, chainID string, into any, method string, params ...any) error {
	if params == nil {
		params = []any{}
	}
	results, err := p.Connect(chainID).Batch(ctx, chainclient.Call{Method: method, Params: params})
	if err != nil {
		return err
	}
	return results[0].Decode(into)
}

func confirmed() map[string]any { return map[string]any{"commitment": "confirmed"} }
