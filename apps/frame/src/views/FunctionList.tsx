import type { Session } from '@hawser/frame/wallet'
import { formatUnits } from 'viem/utils'
import type { NetworkInfo } from '../networks.ts'
import { visibleText } from '../plain.ts'

const words = { EQUAL: 'is', GREATER_THAN: 'is over', LESS_THAN: 'is under' } as const
const effects = {
  sends: 'This function sends tokens of yours away.',
  approves: 'This function lets another account take tokens of yours, also after the session has ended.',
} as const

/** The functions of contracts that a session may call. */
export function FunctionList({
  session: { functions },
  network,
}: {
  readonly session: Session
  readonly network: NetworkInfo
}) {
  if (functions.length === 0) return null
  const isCompared = functions.some(({ rules }) => rules.some(({ operator }) => operator !== 'EQUAL'))
  return (
    <>
      <p>Call these functions:</p>
      <ul class="calls">
        {functions.map(({ contract, signature, selector, effect, valueLimit, rules }) => (
          <li key={contract + selector}>
            <dl class="facts">
              <dt>Function</dt>
              <dd class="address">{visibleText(signature)}</dd>
              <dt>Selector</dt>
              <dd class="address">{selector}</dd>
              <dt>Contract</dt>
              <dd class="address">{contract}</dd>
              <dt>Each with at most</dt>
              <dd>
                {formatUnits(valueLimit, network.decimals)} {network.symbol}
              </dd>
              {rules.map(({ name, position, type, offset, operator, value }) => (
                <div key={offset} class="rule">
                  <dt>
                    Only if parameter {position} ({type}
                    {name && `, “${visibleText(name)}”`})
                  </dt>
                  <dd class="address">
                    {words[operator]} {value.replace(/^0x0{24}(?=[0-9a-f]{40}$)/, '0x')}
                  </dd>
                </div>
              ))}
            </dl>
            {effect && <p class="warning">{effects[effect]}</p>}
          </li>
        ))}
      </ul>
      {isCompared && (
        <p class="warning">
          No contract enforces “over” and “under”: this server does, and you rely on it for them.
        </p>
      )}
    </>
  )
}
