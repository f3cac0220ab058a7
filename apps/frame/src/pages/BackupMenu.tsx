import { createPasskey, hasPasskeys, type Vault, type VaultUser } from '@hawser/vault'
import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../locale/useLanguage.ts'
import { useAction } from '../views/useAction.ts'
import type { AccountScreen } from './AccountScreens.tsx'
import { Icon } from './Icon.tsx'
import { Menu, MenuRow } from './Menu.tsx'

interface Props {
  readonly vault: Vault
  readonly user: VaultUser
  readonly changed: () => Promise<void>
  readonly open: (screen: AccountScreen) => void
}

/** The ways to back up a wallet, each with whether it is done. */
export function BackupMenu({ vault, user, changed, open }: Props) {
  const { backup: texts, factors: factorTexts } = useTexts()
  const [kinds, setKinds] = useState<readonly string[]>([])
  const { error, isPending, run } = useAction()
  const reload = async () => setKinds((await vault.listBackups()).map(({ kind }) => kind))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the vault of a page does not change
  useEffect(() => {
    run(reload)
  }, [])

  const addPasskey = () =>
    run(async () => {
      await vault.addFactor(await createPasskey(user.id, user.email || user.userName))
      await Promise.all([reload(), changed()])
    })
  const done = (
    <span class="done">
      <Icon name="check" />
      {texts.done}
    </span>
  )
  const endOf = (isDone: boolean) => (isDone ? { end: done } : {})

  return (
    <>
      {!user.hasBackup && <p class="warning">{factorTexts.noBackup}</p>}
      <Menu>
        {hasPasskeys() && (
          <MenuRow
            acts
            icon="key"
            title={factorTexts.addPasskey}
            text={texts.passkeyText}
            disabled={isPending}
            {...endOf(kinds.includes('passkey'))}
            onClick={addPasskey}
          />
        )}
        <MenuRow
          icon="password"
          title={factorTexts.addPassword}
          text={texts.passwordText}
          {...endOf(kinds.includes('password'))}
          onClick={() => open('password')}
        />
        <MenuRow icon="file" title={texts.saveKit} text={texts.kitRow} onClick={() => open('kit')} />
        <MenuRow icon="words" title={texts.show} text={texts.wordsRow} onClick={() => open('words')} />
      </Menu>
      <p class="notice" role="alert">
        {error}
      </p>
    </>
  )
}
