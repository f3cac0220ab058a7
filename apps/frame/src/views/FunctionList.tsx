import type { Session } from '@hawser/vault'
import { amountText } from '../locale/amount.ts'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import type { NetworkInfo } from '../networks.ts'
import { Fact } from './Fact.tsx'

/** An address that fills a word of 32 bytes. */
const PADDED_ADDRESS = /^0x0{24}(?=[0-9a-f]{40}$)/

/** The functions of contracts that a session may call. */
export function FunctionList({
  session: { functions },
  network,
}: {
  readonly session: Session
  readonly network: NetworkInfo
}) {
  const texts = useTexts()
  const tag = useTag()
  const { functions: own, fact } = texts
  if (functions.length === 0) return null
  const isCompared = functions.some(({ rules }) => rules.some(({ operator }) => operator !== 'EQUAL'))
  return (
    <>
      <p>{own.title}</p>
      <ul class="calls">
        {functions.map(({ contract, signature, selector, effect, valueLimit, rules }) => (
          <li key={contract + selector} class="box">
            <dl class="entries">
              <Fact name={own.function} isAddress>
                {signature ?? own.unknown(selector)}
              </Fact>
              {signature && (
                <Fact name={own.selector} isAddress>
                  {selector}
                </Fact>
              )}
              <Fact name={fact.contract} isAddress>
                {contract}
              </Fact>
              <Fact name={own.maxValue}>{amountText(valueLimit, network, texts, tag)}</Fact>
              {rules.map(({ position, type, offset, operator, value }) => (
                <div key={offset} class="rule">
                  <dt>{own.rule(position, type)}</dt>
                  <dd class="address">{own.condition[operator](value.replace(PADDED_ADDRESS, '0x'))}</dd>
                </div>
              ))}
            </dl>
            {effect && <p class="warning">{own.effect[effect]}</p>}
          </li>
        ))}
      </ul>
      {isCompared && <p class="warning">{own.notOnChain}</p>}
    </>
  )
}
