import type { SolanaInstruction, SolanaTransactionView } from '@hawser/frame/wallet'
import { formatUnits } from 'viem/utils'
import type { NetworkInfo } from '../networks.ts'
import { visibleText } from '../plain.ts'

/** The instructions of Solana transactions: who receives, how much leaves, which programs are called. */
export function SolanaContent({
  transactions,
  network,
}: {
  readonly transactions: readonly SolanaTransactionView[]
  readonly network: NetworkInfo
}) {
  return (
    <>
      {transactions.length > 1 && <p>{transactions.length} transactions, each on its own</p>}
      {transactions.map(({ transaction, instructions }) => (
        <section key={transaction}>
          {instructions ? (
            <ol class="calls">
              {instructions.map((instruction, at) => (
                <li key={at}>
                  <Instruction instruction={instruction} network={network} />
                </li>
              ))}
            </ol>
          ) : (
            <p class="warning">
              The accounts of this transaction are on the network: what it does with them is not shown.
            </p>
          )}
          <details>
            <summary>The whole transaction</summary>
            <pre>{transaction}</pre>
          </details>
        </section>
      ))}
    </>
  )
}

function Instruction({
  instruction,
  network,
}: {
  readonly instruction: SolanaInstruction
  readonly network: NetworkInfo
}) {
  switch (instruction.kind) {
    case 'transfer':
      return (
        <Facts
          facts={{
            To: instruction.to,
            Amount: `${formatUnits(instruction.lamports, network.decimals)} ${network.symbol}`,
          }}
        />
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
        <Facts
          facts={{ 'Calls the program': instruction.program, Data: `${instruction.dataLength} bytes` }}
        />
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

function tokenAmount({ amount, decimals }: Extract<SolanaInstruction, { kind: 'tokenTransfer' }>): string {
  return decimals === undefined ? `${amount} base units` : formatUnits(amount, decimals)
}
