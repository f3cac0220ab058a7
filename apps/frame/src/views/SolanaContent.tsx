import type { SolanaInstruction, SolanaTransactionView } from '@hawser/frame/wallet'
import { formatUnits } from 'viem/utils'
import type { NetworkInfo } from '../networks.ts'
import { visibleText } from '../plain.ts'

/** Lamports for priority above which the fee is pointed out. */
const HIGH_FEE = 10_000_000n

interface Props {
  readonly transactions: readonly SolanaTransactionView[]
  /** The account that signs. */
  readonly account: string
  readonly network: NetworkInfo
  /** Whether what the transaction would do is shown beside. */
  readonly isPreviewed: boolean
}

/** The instructions of Solana transactions: who receives, how much leaves, which programs are called, and the fee. */
export function SolanaContent({ transactions, account, network, isPreviewed }: Props) {
  const fee = transactions
    .filter(({ message }) => message.feePayer === account)
    .reduce((sum, { message }) => sum + message.maxFee, 0n)
  return (
    <>
      {transactions.length > 1 && <p>{transactions.length} transactions, each on its own</p>}
      {transactions.map(({ transaction, message: { instructions } }) => (
        <section key={transaction}>
          {instructions ? (
            <ol class="calls">
              {instructions.map((instruction, at) => (
                <li key={at}>
                  <Instruction
                    instruction={instruction}
                    account={account}
                    network={network}
                    isPreviewed={isPreviewed}
                  />
                </li>
              ))}
            </ol>
          ) : (
            <p class={isPreviewed ? 'hint' : 'warning'}>
              The accounts of this transaction are on the network: what it does with them is not shown here.
            </p>
          )}
          <details>
            <summary>The whole transaction</summary>
            <pre>{transaction}</pre>
          </details>
        </section>
      ))}
      {fee >= HIGH_FEE && <p class="warning">The fee for the network is high.</p>}
      {fee > 0n && <Facts facts={{ 'Network fee, at most': amountOf(fee, network) }} />}
    </>
  )
}

function amountOf(lamports: bigint, { decimals, symbol }: NetworkInfo): string {
  return `${formatUnits(lamports, decimals)} ${symbol}`
}

function Instruction({
  instruction,
  account,
  network,
  isPreviewed,
}: Omit<Props, 'transactions'> & { readonly instruction: SolanaInstruction }) {
  switch (instruction.kind) {
    case 'transfer':
      return <Facts facts={{ To: instruction.to, Amount: amountOf(instruction.lamports, network) }} />
    case 'assignment':
      return (
        <>
          <p class="warning danger" role="alert">
            An account is given to a program, with all that is in it.
          </p>
          <Facts facts={{ Account: instruction.account }} />
        </>
      )
    case 'nonce':
      return (
        <p class="warning">
          This stays valid until it is sent, however long that takes, and may do something else by then.
        </p>
      )
    case 'tokenTransfer':
      return (
        <Facts
          facts={{
            'To the token account': instruction.to,
            Amount: tokenAmount(instruction),
            ...(instruction.mint && { Token: instruction.mint }),
          }}
        />
      )
    case 'tokenBurn':
      return (
        <>
          <p class="warning danger" role="alert">
            Tokens are destroyed.
          </p>
          <Facts
            facts={{
              Amount: tokenAmount(instruction),
              ...(instruction.mint && { Token: instruction.mint }),
            }}
          />
        </>
      )
    case 'tokenClosing':
      return instruction.to === account ? (
        <p>Closes a token account of yours; its deposit comes back</p>
      ) : (
        <>
          <p class="warning danger" role="alert">
            A token account is closed; another account receives the SOL in it.
          </p>
          <Facts facts={{ To: instruction.to }} />
        </>
      )
    case 'tokenApproval':
      return (
        <>
          <p class="warning">Another account may take tokens of yours.</p>
          <Facts
            facts={{ 'Who may take': instruction.delegate, 'At most': `${instruction.amount} base units` }}
          />
        </>
      )
    case 'tokenAuthority':
      return (
        <>
          <p class="warning danger" role="alert">
            The rights to tokens of yours are given away.
          </p>
          <Facts facts={{ To: instruction.to ?? 'no one, for good' }} />
        </>
      )
    case 'tokenAccount':
      return (
        <>
          <p>Makes a token account, which costs a deposit</p>
          <Facts facts={{ Of: instruction.owner, Token: instruction.mint }} />
        </>
      )
    case 'memo':
      return <Facts facts={{ Note: visibleText(instruction.text) }} />
    case 'call':
      return (
        <>
          <Facts
            facts={{ 'Calls the program': instruction.program, Data: `${instruction.dataLength} bytes` }}
          />
          {!isPreviewed && <p class="warning">What the program does is not known here.</p>}
        </>
      )
  }
}

function Facts({ facts }: { readonly facts: Readonly<Record<string, string>> }) {
  return (
    <dl class="facts">
      {Object.entries(facts).map(([name, value]) => (
        <Fact key={name} name={name} value={value} />
      ))}
    </dl>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={value.length > 30 ? 'address' : undefined}>{value}</dd>
    </>
  )
}

function tokenAmount({
  amount,
  decimals,
}: {
  readonly amount: bigint
  readonly decimals: number | undefined
}): string {
  return decimals === undefined ? `${amount} base units` : formatUnits(amount, decimals)
}
