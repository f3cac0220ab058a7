import { visibleText } from '@hawser/texts/format/visibleText'
import type { FrameTexts } from '@hawser/texts/frame/texts'
import type { Preview, SolanaInstruction, SolanaTransactionView } from '@hawser/vault'
import { amountText, digitsText } from '../locale/amount.ts'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import type { NetworkInfo } from '../networks.ts'
import { Fact } from './Fact.tsx'
import { FeeFact } from './FeeFact.tsx'
import { solanaFee } from './solanaConcerns.ts'

interface Props {
  readonly transactions: readonly SolanaTransactionView[]
  /** The account that signs. */
  readonly account: string
  readonly network: NetworkInfo
  /** Dollars of one native token, if they are known. */
  readonly price: number | undefined
  /** Undefined without one. */
  readonly preview: Preview | undefined
}

/** The instructions of Solana transactions: who receives, how much leaves, which programs are called, and the fee. */
export function SolanaContent({ transactions, account, network, price, preview }: Props) {
  const texts = useTexts()
  const fee = solanaFee(transactions, account, preview)
  return (
    <>
      {transactions.length > 1 && <p>{texts.solana.transactions(transactions.length)}</p>}
      {transactions.map(({ transaction, message: { instructions } }) => (
        <section key={transaction}>
          {instructions ? (
            <ol class="calls">
              {instructions.map((instruction, at) => (
                <li key={at} class="box">
                  <Instruction instruction={instruction} account={account} network={network} />
                </li>
              ))}
            </ol>
          ) : (
            <p class="hint">{texts.solana.accountsElsewhere}</p>
          )}
          <details>
            <summary>{texts.solana.whole}</summary>
            <pre>{transaction}</pre>
          </details>
        </section>
      ))}
      {fee > 0n && (
        <dl class="facts">
          <FeeFact fee={fee} network={network} price={price} />
        </dl>
      )}
    </>
  )
}

function Instruction({
  instruction,
  account,
  network,
}: Omit<Props, 'transactions' | 'price' | 'preview'> & { readonly instruction: SolanaInstruction }) {
  const texts = useTexts()
  const tag = useTag()
  const { solana, fact } = texts
  switch (instruction.kind) {
    case 'transfer':
      return (
        <Facts
          facts={[
            [fact.to, instruction.to],
            [fact.amount, amountText(instruction.lamports, network, texts, tag)],
          ]}
        />
      )
    case 'assignment':
      return (
        <>
          <p>{solana.assignment}</p>
          <Facts facts={[[fact.account, instruction.account]]} />
        </>
      )
    case 'nonce':
      return <p>{solana.nonce}</p>
    case 'tokenTransfer':
      return (
        <Facts
          facts={[
            [solana.toTokenAccount, instruction.to],
            [fact.amount, tokenAmount(instruction, texts, tag)],
            [fact.token, instruction.mint],
          ]}
        />
      )
    case 'tokenBurn':
      return (
        <>
          <p>{solana.burn}</p>
          <Facts
            facts={[
              [fact.amount, tokenAmount(instruction, texts, tag)],
              [fact.token, instruction.mint],
            ]}
          />
        </>
      )
    case 'tokenClosing':
      return instruction.to === account ? (
        <p>{solana.closing}</p>
      ) : (
        <>
          <p>{solana.closingForOther}</p>
          <Facts facts={[[fact.to, instruction.to]]} />
        </>
      )
    case 'tokenApproval':
      return (
        <>
          <p>{solana.approval}</p>
          <Facts
            facts={[
              [solana.whoMayTake, instruction.delegate],
              [solana.atMost, `${instruction.amount} ${texts.baseUnits}`],
            ]}
          />
        </>
      )
    case 'tokenAuthority':
      return (
        <>
          <p>{solana.authority}</p>
          <Facts facts={[[fact.to, instruction.to ?? solana.toNoOne]]} />
        </>
      )
    case 'tokenAccount':
      return (
        <>
          <p>{solana.tokenAccount}</p>
          <Facts
            facts={[
              [solana.of, instruction.owner],
              [fact.token, instruction.mint],
            ]}
          />
        </>
      )
    case 'memo':
      return <Facts facts={[[solana.note, visibleText(instruction.text)]]} />
    case 'call':
      return (
        <Facts
          facts={[
            [solana.program, instruction.program],
            [solana.data, solana.bytes(instruction.dataLength)],
          ]}
        />
      )
  }
}

/** Facts by their names; those without a value are left out. */
function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: string | undefined])[]
}) {
  return (
    <dl class="entries">
      {facts.map(
        ([name, value]) =>
          value && (
            <Fact key={name} name={name} isAddress={value.length > 30}>
              {value}
            </Fact>
          ),
      )}
    </dl>
  )
}

function tokenAmount(
  { amount, decimals }: { readonly amount: bigint; readonly decimals: number | undefined },
  texts: FrameTexts,
  tag: string,
): string {
  return decimals === undefined
    ? amountText(amount, { symbol: '', decimals: 0 }, texts, tag)
    : digitsText(amount, decimals, tag)
}
