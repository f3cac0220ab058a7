import { useTexts } from '../locale/useLanguage.ts'
import { visibleText } from '../plain.ts'
import { Fact } from './Fact.tsx'
import { shorten } from './shorten.ts'

interface Props {
  readonly title: string
  /** The site's own name for itself. */
  readonly siteName: string
  readonly view: { readonly site: string; readonly address: string }
  /** Name of the network. */
  readonly network: string
}

/** What a request is about: its kind, the site, the account and the network. */
export function SheetHeader({ title, siteName, view: { site, address }, network }: Props) {
  const { fact } = useTexts()
  return (
    <>
      <header>
        <h1 id="title">{title}</h1>
        <p class="site">
          {siteName && <bdi class="name">{visibleText(siteName)}</bdi>}
          <strong>
            <bdi dir="ltr">{site}</bdi>
          </strong>
        </p>
      </header>
      <dl class="facts">
        <Fact name={fact.account} title={address}>
          {shorten(address)}
        </Fact>
        <Fact name={fact.network}>{visibleText(network)}</Fact>
      </dl>
    </>
  )
}
