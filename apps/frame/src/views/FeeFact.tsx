import { amountText } from '../locale/amount.ts'
import { dollarText } from '../locale/dollarText.ts'
import { feeText } from '../locale/feeText.ts'
import { useTag, useTexts } from '../locale/useLanguage.ts'
import type { NetworkInfo } from '../networks.ts'
import { Fact } from './Fact.tsx'

interface Props {
  /** Base units of the native token. */
  readonly fee: bigint
  readonly network: NetworkInfo
  /** Dollars of one native token, if they are known. */
  readonly price: number | undefined
}

/** The most that the network charges, in its token and in dollars. */
export function FeeFact({ fee, network, price }: Props) {
  const texts = useTexts()
  const tag = useTag()
  return (
    <Fact
      name={texts.fact.maxFee}
      title={amountText(fee, network, texts, tag)}
      note={price === undefined ? undefined : dollarText(fee, network.decimals, price, tag)}
    >
      {feeText(fee, network, texts, tag)}
    </Fact>
  )
}
