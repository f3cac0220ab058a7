import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { memoryStore } from '../session/deviceStore.ts'
import { createFakeWalletService } from '../testing/fakeWalletService.ts'
import { message, passkey, persistentStore, signer, signIn, vaultOf } from '../testing/vaults.ts'

// The cost of Argon2id is tested with the keys of passwords; here, a key only has to depend on its password and salt.
vi.mock('@noble/hashes/argon2', async () => {
  const { sha256 } = await import('@noble/hashes/sha2')
  return {
    argon2idAsync: async (password: Uint8Array, salt: Uint8Array, { dkLen }: { dkLen: number }) => {
      const part = (at: number) => sha256(Uint8Array.of(...password, ...salt, at))
      return Uint8Array.of(...part(0), ...part(1)).slice(0, dkLen)
    },
  }
})

describe('a recovery kit', () => {
  const PASSWORD = 'correct horse battery'

  async function saveKit() {
    const service = createFakeWalletService()
    const vault = await vaultOf(service)
    await signIn(vault)
    await vault.ensureWallet()
    return { service, vault, kit: await vault.recoveryKit(PASSWORD) }
  }

  it('has the words for its password alone, without the server', async () => {
    const { vault, kit } = await saveKit()
    const offline = await vaultOf(createFakeWalletService(), memoryStore())
    expect(await offline.mnemonicOfKit(kit, PASSWORD)).toBe(await vault.exportMnemonic())
    await expect(offline.mnemonicOfKit(kit, 'another')).rejects.toThrow('does not open this recovery kit')
    await expect(offline.mnemonicOfKit('{}', PASSWORD)).rejects.toThrow('The file is not a recovery kit')
  })

  it('costs much to guess, since the server does not limit the guesses', async () => {
    const { kit } = await saveKit()
    expect(JSON.parse(kit).password).toMatchObject({ memory: 65_536, passes: 3 })
  })

  it('opens the wallet of a user who has no other factor left, and adds one for the device', async () => {
    const { service, vault, kit } = await saveKit()
    const { addresses } = await vault.getUser()
    const [device] = await vault.listFactors()
    await vault.removeFactor(device?.id ?? '')
    const store = persistentStore()
    const other = await vaultOf(service, store)
    await signIn(other)
    expect(await other.unlock()).toEqual({ isOpen: false, factors: [] })
    await other.restore(kit, PASSWORD)
    expect(await signer(other)).toBe(addresses?.eip155)
    expect(await (await vaultOf(service, store)).unlock()).toEqual({ isOpen: true })
  })

  it('restores the wallet at a server that has lost it, with its password as a factor', async () => {
    const { vault, kit } = await saveKit()
    const { addresses } = await vault.getUser()
    const service = createFakeWalletService()
    const restored = await vaultOf(service)
    await signIn(restored)
    await restored.restore(kit, PASSWORD)
    expect((await restored.getUser()).addresses).toEqual(addresses)

    const other = await vaultOf(service)
    await signIn(other)
    const [factor] = await other.listBackups()
    await other.unlockWith(factor?.id ?? '', { kind: 'password', password: PASSWORD })
    expect(await signer(other)).toBe(addresses?.eip155)
    // The key of the entropy is that of the kit, so that the kit opens this wallet too.
    const third = await vaultOf(service)
    await signIn(third)
    await third.restore(kit, PASSWORD)
    await third.addFactor(passkey(3))
    expect((await third.listFactors()).at(-1)?.label).toBe('Passkey on Chrome 150 on Linux')
    const fourth = await vaultOf(service)
    await signIn(fourth)
    const added = (await fourth.listBackups()).find(({ kind }) => kind === 'passkey')
    await fourth.unlockWith(added?.id ?? '', passkey(3))
    expect(await signer(fourth)).toBe(addresses?.eip155)
  })

  it('does not open another wallet', async () => {
    const { kit } = await saveKit()
    const other = await vaultOf(createFakeWalletService())
    await signIn(other)
    await other.ensureWallet()
    await other.lock()
    await expect(other.restore(kit, PASSWORD)).rejects.toThrow('The recovery kit belongs to another wallet')
    await expect(other.sign({ kind: 'message', message })).rejects.toThrow('The wallet is locked')
  })

  it('that is malformed is refused', async () => {
    const vault = await vaultOf(createFakeWalletService(), memoryStore())
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        await expect(vault.mnemonicOfKit(text, PASSWORD)).rejects.toThrow('recovery kit')
      }),
    )
  })
})

describe('an account that is added to the user', () => {
  it('is added once its owner has proven it', async () => {
    const service = createFakeWalletService()
    const vault = await vaultOf(service)
    await signIn(vault)
    await vault.startSocial('google')
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const linking = vault.link()
      await vi.waitFor(() => expect(service.calls.at(-1)?.path).toMatch(/LinkSocial$/))
      service.provenLogin = true
      await vi.advanceTimersByTimeAsync(1_000)
      await linking
    } finally {
      vi.useRealTimers()
    }
    expect((await vault.getUser()).identities).toEqual([{ provider: 'google', subject: '1' }])
    await vault.unlinkIdentity('google', '1')
    expect((await vault.getUser()).identities).toEqual([])
  })

  it('is not added after a cancel', async () => {
    const vault = await vaultOf(createFakeWalletService())
    await signIn(vault)
    await vault.startSocial('google')
    await vault.cancelLink()
    await expect(vault.link()).rejects.toThrow('The account was not added')
  })
})
