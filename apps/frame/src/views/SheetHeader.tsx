import { shorten } from '@hawser/texts/format/shorten'
import { visibleText } from '@hawser/texts/format/visibleText'
import { useTexts } from '../locale/useLanguage.ts'
import { Fact } from './Fact.tsx'

interface Props {
  /** The site's own name for itself. */
  readonly siteName: string
  readonly view: { readonly site: string; readonly address: string }
  /** Name of the network; undefined until it is loaded. */
  readonly network: string | undefined
}

/** What a request is about: the site, the account and the network. */
export function SheetHeader({ siteName, view: { site, address }, network }: Props) {
  const { fact, device } = useTexts()
  return (
    <dl class="facts box">
      <Fact name={device.site} note={visibleText(siteName)}>
        <strong dir="ltr">{site}</strong>
      </Fact>
      <Fact name={fact.account} title={address}>
        <span class="address">{shorten(address)}</span>
      </Fact>
      <Fact name={fact.network}>{network === undefined ? '…' : visibleText(network)}</Fact>
    </dl>
  )
}
