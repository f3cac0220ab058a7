import { lamports } from '@solana/kit'
import { FailedTransactionMetadata, LiteSVM } from 'litesvm'
import * as build from './instructions.mjs'
import { addressOf, faucet, minter, treasury } from './keys.mjs'
import { metadataAccount } from './metaplex.mjs'
import { metadataProgram, systemProgram, token2022Program, tokenProgram } from './programs.mjs'
import { balances, tokenPlans } from './tokens.mjs'

const sol = 1_000_000_000n

/** Space of a mint without extensions, in bytes. */
const mintSpace = 82n
/** Space of a Token-2022 mint up to its extensions: padded to a token account's, and the account type. */
const extendedMintSpace = 166n
/** Space of two extensions, their headers included. */
const metadataPointerSpace = 68n
const transferFeeSpace = 112n
/** More than the metadata of any mint here takes, which the program adds to the account by itself. */
const metadataReserve = 400n

/**
 * Returns a fresh chain with the development accounts and their tokens. Nothing is signed: it is the chain
 * before its first slot.
 */
export async function createGenesis() {
  const svm = new LiteSVM()
    .withTransactionHistory(0n)
    .withBlockhashCheck(false)
    .withNativeMints()
    .withSigverify(false)
  fund(svm, minter.address, 1_000n * sol)
  fund(svm, treasury.address, 100_000n * sol)
  fund(svm, faucet.address, 10_000_000n * sol)
  for (const [owner, amount] of Object.entries(balances)) fund(svm, owner, amount)
  for (const plan of tokenPlans) await createToken(svm, plan)
  return svm.withSigverify(true)
}

/**
 * @param {LiteSVM} svm
 * @param {string} owner
 * @param {bigint} amount lamports
 */
function fund(svm, owner, amount) {
  svm.setAccount({
    address: /** @type {import('@solana/kit').Address} */ (owner),
    lamports: lamports(amount),
    data: new Uint8Array(),
    programAddress: systemProgram,
    executable: false,
    space: 0n,
  })
}

/**
 * @param {LiteSVM} svm
 * @param {import('./tokens.mjs').TokenPlan} plan
 */
async function createToken(svm, plan) {
  const extended = plan.program === 'spl-token-2022'
  const program = extended ? token2022Program : tokenProgram
  const mint = mintOf(plan)
  const authority = minter.address
  const uri = `https://tokens.example/${plan.id}.json`
  const described = { mint, authority, name: plan.name, symbol: plan.symbol, uri }
  const space = extended
    ? extendedMintSpace + metadataPointerSpace + (plan.transferFee ? transferFeeSpace : 0n)
    : mintSpace
  const rent = svm.minimumBalanceForRentExemption(space + (extended ? metadataReserve : 0n))

  run(svm, [
    build.createAccount({ payer: authority, account: mint, lamports: rent, space, owner: program }),
    ...(extended ? [build.initializeMetadataPointer({ mint, authority })] : []),
    ...(plan.transferFee ? [build.initializeTransferFee({ mint, authority, ...plan.transferFee })] : []),
    build.initializeMint({ program, mint, decimals: plan.decimals, authority }),
    ...(extended ? [build.initializeTokenMetadata(described)] : []),
  ])
  if (!extended && !plan.bare) {
    const { address, data } = await metadataAccount(described)
    svm.setAccount({
      address,
      lamports: lamports(svm.minimumBalanceForRentExemption(BigInt(data.length))),
      data,
      programAddress: metadataProgram,
      executable: false,
      space: BigInt(data.length),
    })
  }
  for (const [holder, amount] of Object.entries(plan.holders)) {
    const owner = /** @type {import('@solana/kit').Address} */ (holder)
    const account = await build.associatedAccount({ program, mint, owner })
    run(svm, [
      build.createAssociatedAccount({ payer: authority, account, program, mint, owner }),
      build.mintTo({ program, mint, account, authority, amount }),
      ...(plan.memoRequired?.includes(owner) ? build.requireMemo({ payer: authority, account, owner }) : []),
      ...(plan.frozen?.includes(owner) ? [build.freeze({ program, mint, account, authority })] : []),
    ])
  }
}

/** @param {import('./tokens.mjs').TokenPlan} plan */
function mintOf({ id }) {
  return addressOf(`mint ${id}`)
}

/**
 * @param {LiteSVM} svm
 * @param {import('@solana/kit').Instruction[]} instructions
 * @throws {Error} with the logs when one fails
 */
function run(svm, instructions) {
  const result = svm.sendTransaction(build.compile(minter.address, svm.latestBlockhash(), instructions))
  if (result instanceof FailedTransactionMetadata) {
    throw new Error(`genesis: ${result.toString()}\n${result.meta().logs().join('\n')}`)
  }
}
