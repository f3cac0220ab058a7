import type { VaultUser } from '@hawser/vault'
import { useTexts } from '../locale/useLanguage.ts'
import { Fact } from '../views/Fact.tsx'
import type { AccountScreen } from './AccountScreens.tsx'
import { Menu, MenuRow } from './Menu.tsx'

/** Whose wallet it is, and what can be done with it. */
export function AccountHome({
  user,
  open,
}: {
  readonly user: VaultUser
  readonly open: (screen: AccountScreen) => void
}) {
  const texts = useTexts()
  const { account } = texts
  return (
    <>
      <dl class="entries box">
        <Fact name={account.signedInAs}>{user.email || user.userName}</Fact>
        <Fact name={account.address} isAddress>
          {user.addresses?.eip155 ?? ''}
        </Fact>
      </dl>
      <Menu>
        <MenuRow
          icon="shield"
          title={account.backUp}
          {...(user.hasBackup ? {} : { text: texts.factors.noBackup, tone: 'caution' })}
          onClick={() => open('backup')}
        />
        <MenuRow icon="key" title={texts.factors.title} onClick={() => open('factors')} />
        <MenuRow icon="person" title={texts.identities.title} onClick={() => open('identities')} />
        <MenuRow icon="globe" title={texts.sites.title} onClick={() => open('sites')} />
        <MenuRow icon="spark" title={texts.smartAccount.title} onClick={() => open('smartAccount')} />
        <MenuRow icon="device" title={texts.sessions.title} onClick={() => open('sessions')} />
        {user.changes.length > 0 && (
          <MenuRow icon="clock" title={texts.changes.title} onClick={() => open('changes')} />
        )}
        <MenuRow icon="bin" tone="danger" title={texts.deletion.title} onClick={() => open('deletion')} />
      </Menu>
    </>
  )
}
