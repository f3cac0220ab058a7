import { type ContractCallPermission, shortenAddress } from '@hawser/core'
import { CopyButton } from '@hawser/ui'
import { useSessionsTexts } from '../../locale/useSessionsTexts.ts'
import { useTexts } from '../../locale/useTexts.ts'
import { Fact } from '../../parts/Fact.tsx'

/** Which functions of a contract a session may call. */
export function ContractFacts({ permission: { data } }: { permission: ContractCallPermission }) {
  const texts = useSessionsTexts().rows
  const baseTexts = useTexts()
  return (
    <>
      <Fact name={texts.type}>{texts.contractCall}</Fact>
      <Fact name={texts.contract}>
        <CopyButton text={data.address} label={baseTexts.copyAddress}>
          <bdi className="hw-mono">{shortenAddress(data.address)}</bdi>
        </CopyButton>
      </Fact>
      <Fact name={texts.functions}>{data.functions.map(({ functionName }) => functionName).join(', ')}</Fact>
    </>
  )
}
