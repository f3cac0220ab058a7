// @vitest-environment jsdom
import { fetchTokenBalance, loadSendBalances, openSend } from '@hawser/core'
import {
  ALICE,
  BOB,
  createConnectedKit,
  DOLLAR,
  DOLLAR_ADDRESS,
  deferred,
  ETHER,
  type Kit,
  Refusal,
  transaction,
  transfer,
  walletError,
} from '@hawser/core/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setLocale } from '../../locale/setLocale.ts'
import { findView, type OpenKit, renderPage } from '../../testing/openKit.tsx'

const amount = () => screen.getByTestId<HTMLInputElement>('send-amount-input')
const address = () => screen.getByTestId<HTMLTextAreaElement>('send-address-input')
const confirm = () => screen.getByTestId<HTMLButtonElement>('send-confirm-button')
const review = () => screen.getByTestId<HTMLButtonElement>('send-review-button')

let kit: OpenKit

async function openSendOf(connected: Kit) {
  kit = renderPage(connected)
  act(() => openSend(kit.hawser))
  await findView('WalletSend')
}

async function confirmSend() {
  await waitFor(() => expect(confirm().getAttribute('aria-busy')).toBeNull())
  await kit.user.click(confirm())
}

async function chooseToken(symbol: string) {
  await kit.user.click(screen.getByTestId('send-select-token-button'))
  await findView('WalletSendSelectToken')
  await kit.user.click(await screen.findByTestId(`send-token-${symbol}`))
  await findView('WalletSend')
}

async function fillIn(symbol: string, text: string, receiver = BOB) {
  await chooseToken(symbol)
  await kit.user.type(amount(), text)
  await enterAddress(receiver)
}

async function enterAddress(receiver: string) {
  await kit.user.click(address())
  await kit.user.paste(receiver)
}

describe('the form', () => {
  beforeEach(async () => openSendOf(await createConnectedKit()))

  it('says what is missing, in the order of the form', async () => {
    expect(screen.getByTestId('send-select-token-button').textContent).toContain('ETH')
    expect(review().textContent).toBe('Enter amount')
    await kit.user.type(amount(), '0')
    expect(review().textContent).toBe('Incorrect value')
    await kit.user.type(amount(), '.5')
    await waitFor(() => expect(review().textContent).toBe('Enter address'))
    await enterAddress(BOB.slice(0, -1))
    await waitFor(() => expect(review().textContent).toBe('Invalid address'))
    expect(review().disabled).toBe(true)
    await enterAddress(BOB.slice(-1))
    await waitFor(() => expect(review().disabled).toBe(false))
    expect(review().textContent).toBe('Review send')
  })

  it('refuses more than there is', async () => {
    await fillIn('ETH', '1.000000000000000001')
    await waitFor(() => expect(review().textContent).toBe('Insufficient balance'))
  })

  it.each(['-1', '1e-7', '1.2.3', '1,2,3', '5 ETH'])(
    'keeps %j whole, typed or pasted, and sends nothing of it',
    async (text) => {
      await fillIn('ETH', text)
      expect(amount().value).toBe(text)
      expect(review().textContent).toBe('Incorrect value')
      await kit.user.clear(amount())
      await kit.user.paste(text)
      expect(amount().value).toBe(text)
      expect(review().textContent).toBe('Incorrect value')
      expect(screen.queryByText(/NaN/)).toBeNull()
    },
  )

  it.each([
    ['1,000', '1000'],
    ['2,500.75', '2500.75'],
    ['.5', '0.5'],
    ['５', '5'],
  ])('reads %j as %s, typed or pasted', async (text, read) => {
    await chooseToken('ETH')
    await kit.user.type(amount(), text)
    expect(amount().value).toBe(text)
    expect(kit.hawser.send.getState().sendTokenAmount).toBe(read)
    await kit.user.clear(amount())
    await kit.user.paste(text)
    expect(kit.hawser.send.getState().sendTokenAmount).toBe(read)
  })

  it('says how an amount is read that looks like thousands', async () => {
    await chooseToken('ETH')
    await kit.user.type(amount(), '1,50')
    expect(screen.getByTestId('amount-note').textContent).toBe('')
    await kit.user.type(amount(), '0')
    expect(screen.getByTestId('amount-note').textContent).toBe('This means 1,500, not 1.5')
    await kit.user.type(amount(), '1')
    expect(screen.getByTestId('amount-note').textContent).toBe('')
  })

  it('reads an amount with the separators of the language', async () => {
    await chooseToken('ETH')
    await act(() => setLocale(kit.hawser, 'de'))
    await kit.user.type(amount(), '1.500')
    expect(amount().value).toBe('1.500')
    expect(kit.hawser.send.getState().sendTokenAmount).toBe('1500')
    expect(screen.getByTestId('amount-note').textContent).toBe('Das bedeutet 1.500, nicht 1,5')
    await kit.user.clear(amount())
    await kit.user.type(amount(), '0,25')
    expect(kit.hawser.send.getState().sendTokenAmount).toBe('0.25')
  })

  it('fills in all there is after gas', async () => {
    await chooseToken('ETH')
    await kit.user.click(screen.getByTestId('send-max-button'))
    await waitFor(() => expect(amount().value).toMatch(/^0\.9999\d+$/))
  })

  it('pastes an address, without the spaces around it', async () => {
    await navigator.clipboard.writeText(` ${BOB}\n`)
    await kit.user.click(screen.getByRole('button', { name: 'Paste' }))
    await waitFor(() => expect(address().value).toBe(BOB))
  })

  it('says so when the browser does not allow pasting', async () => {
    vi.spyOn(navigator.clipboard, 'readText').mockRejectedValue(new DOMException('', 'NotAllowedError'))
    await kit.user.click(screen.getByRole('button', { name: 'Paste' }))
    await screen.findByText(/Paste with the keyboard/)
    expect(document.activeElement).toBe(address())
  })

  it('continues by Enter when it is complete', async () => {
    await fillIn('tUSD', '1')
    await waitFor(() => expect(review().disabled).toBe(false))
    await kit.user.type(address(), '{Enter}')
    await findView('WalletSendPreview')
  })
})

describe('a receiver by name', () => {
  const NAME = 'bob.hawser.id'
  const CAROL = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  const resolved = () => screen.getByTestId('send-address-outcome')

  const registered: Kit['gateway']['names']['lookup'] = (name) => ({
    name,
    registeredAt: '2026-01-01T00:00:00Z',
    registered: 1_767_225_600,
    updatedAt: '2026-01-01T00:00:00Z',
    updated: 1_767_225_600,
    attributes: {},
    addresses: {},
  })

  async function enterName(
    resolve: Kit['gateway']['names']['resolve'],
    lookup: Kit['gateway']['names']['lookup'] = () => undefined,
  ) {
    const connected = await createConnectedKit()
    Object.assign(connected.gateway.names, { resolve, lookup })
    await openSendOf(connected)
    await fillIn('ETH', '0.1', NAME)
    expect(resolved().textContent).toBe('Looking up name')
    expect(review().disabled).toBe(true)
    await kit.advance(500)
  }

  it('shows its whole address, in the form and before signing', async () => {
    await enterName(() => BOB)
    await waitFor(() => expect(resolved().textContent).toBe(BOB))
    expect(address().value).toBe(NAME)
    await waitFor(() => expect(review().disabled).toBe(false))
    await kit.user.click(review())
    await findView('WalletSendPreview')
    const preview = screen.getByRole('dialog').textContent
    expect(preview).toContain(NAME)
    expect(preview).toContain(BOB)
    await confirmSend()
    await findView('TransactionStatus')
    const sent = kit.wallet.calls.find(({ method }) => method === 'eth_sendTransaction')
    expect(sent?.params[0]).toMatchObject({ to: BOB })
  })

  it('that resolves to a new address on confirmation shows it for review', async () => {
    await enterName(() => BOB)
    await waitFor(() => expect(review().disabled).toBe(false))
    await kit.user.click(review())
    await findView('WalletSendPreview')
    kit.gateway.names.resolve = () => CAROL
    await confirmSend()
    await findView('WalletSend')
    expect(resolved().textContent).toContain(`${NAME} now points to a different address:${CAROL}`)
    expect(review().disabled).toBe(true)
    expect(kit.wallet.calls.some(({ method }) => method === 'eth_sendTransaction')).toBe(false)
    await kit.user.click(screen.getByTestId('send-accept-address'))
    await waitFor(() => expect(review().disabled).toBe(false))
    expect(resolved().textContent).toBe(CAROL)
  })

  it('that is not registered is not found', async () => {
    await enterName(() => undefined)
    await waitFor(() => expect(resolved().textContent).toBe('Name not found'))
    await waitFor(() => expect(review().textContent).toBe('Invalid address'))
    expect(address().getAttribute('aria-invalid')).toBe('true')
  })

  it('that has no address on the network says so', async () => {
    await enterName(() => undefined, registered)
    await waitFor(() => expect(resolved().textContent).toBe(`${NAME} has no address on Devnet`))
    expect(address().getAttribute('aria-invalid')).toBe('true')
  })

  it('is looked up again after a failure', async () => {
    await enterName(() => {
      throw new Refusal(503, '', 'unavailable')
    })
    await screen.findByText('Error resolving name')
    kit.gateway.names.resolve = () => BOB
    await kit.user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(resolved().textContent).toBe(BOB))
  })
})

describe('a receiver that looks like a known one', () => {
  /** Its ends are those of Bob's address. */
  const LIKE_BOB = '0x7099000000000000000000000000000000dc79c8'
  const sentToBob = transaction(1, { operationType: 'send', sentFrom: ALICE, sentTo: BOB }, [
    transfer({ direction: 'out', sender: ALICE, recipient: BOB }),
  ])
  const receivedFrom = (sender: string, numeric: string) =>
    transaction(2, { sentFrom: sender }, [transfer({ sender, quantity: { numeric } })])
  const doubt = () => screen.findByTestId('send-doubt')

  async function enter(receiver: string, data = [receivedFrom(LIKE_BOB, '0.0'), sentToBob]) {
    const connected = await createConnectedKit()
    connected.gateway.history = () => ({ data })
    await openSendOf(connected)
    await fillIn('ETH', '0.1', receiver)
  }

  it('stops the form, and is shown below the known one with what differs', async () => {
    await enter(LIKE_BOB)
    expect((await doubt()).textContent).toContain('This address looks like another one')
    expect(within(await doubt()).getByRole('alert').textContent).toContain(
      'characters 7 to 36 are not the same',
    )
    expect(review().textContent).toBe('Check the address')
    expect(review().disabled).toBe(true)
    const [known, entered] = screen.getAllByRole('img', { name: /^0x7099/ })
    expect([known?.textContent, entered?.textContent]).toEqual([BOB, LIKE_BOB])
    expect([known?.dir, entered?.dir]).toEqual(['ltr', 'ltr'])
    const marked = [...(entered?.querySelectorAll('mark') ?? [])].map(({ textContent }) => textContent)
    expect(marked.join('')).toBe('0'.repeat(24))
    expect((await doubt()).textContent).toContain('The address you sent to before')
  })

  it('is replaced by the known one', async () => {
    await enter(LIKE_BOB)
    await doubt()
    await kit.user.click(screen.getByTestId('send-use-known'))
    await waitFor(() => expect(address().value).toBe(BOB))
    expect(screen.queryByTestId('send-doubt')).toBeNull()
    await waitFor(() => expect(review().disabled).toBe(false))
    expect(document.activeElement?.contains(address())).toBe(true)
  })

  it('is sent to once it is chosen', async () => {
    await enter(LIKE_BOB)
    await doubt()
    await kit.user.click(screen.getByTestId('send-use-new'))
    expect(screen.queryByTestId('send-doubt')).toBeNull()
    await waitFor(() => expect(review().disabled).toBe(false))
    await kit.user.click(review())
    await findView('WalletSendPreview')
    await confirmSend()
    await findView('TransactionStatus')
    const sent = kit.wallet.calls.find(({ method }) => method === 'eth_sendTransaction')
    expect(sent?.params[0]).toMatchObject({ to: LIKE_BOB })
  })

  it('is chosen without a proposal where the known one only paid as well', async () => {
    await enter(LIKE_BOB, [receivedFrom(LIKE_BOB, '1'), { ...receivedFrom(BOB, '1'), id: 'another' }])
    expect((await doubt()).textContent).toContain('An address you received from before')
    expect(screen.queryByTestId('send-use-known')).toBeNull()
    expect(screen.getByTestId('send-use-new')).toBeDefined()
  })

  it('and is known by a transfer of nothing alone has to be chosen too', async () => {
    await enter(LIKE_BOB, [receivedFrom(LIKE_BOB, '0.0')])
    expect((await doubt()).textContent).toContain('only from a worthless transfer')
    expect(screen.getByTestId('send-doubt-receiver').textContent).toContain(LIKE_BOB)
    expect(screen.queryByTestId('send-use-known')).toBeNull()
    expect(review().disabled).toBe(true)
  })

  it('stops the review when the history comes late', async () => {
    const connected = await createConnectedKit()
    const late = deferred<{ data: (typeof sentToBob)[] }>()
    connected.gateway.history = () => late.promise
    await openSendOf(connected)
    await fillIn('ETH', '0.1', LIKE_BOB)
    await waitFor(() => expect(kit.hawser.send.getState().history).toBe('reading'))
    expect(review().disabled).toBe(true)
    await kit.advance(3_000)
    await screen.findByText(/wasn’t compared with it/)
    await waitFor(() => expect(review().disabled).toBe(false))
    await kit.user.click(review())
    await findView('WalletSendPreview')
    late.resolve({ data: [sentToBob] })
    await findView('WalletSend')
    await doubt()
  })

  it.each([
    [
      'is new',
      '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      'Your activity shows no transfer to this address.',
    ],
    ['was sent to', BOB, ''],
  ])('is not one that %s', async (_, receiver, note) => {
    await enter(receiver)
    await waitFor(() => expect(review().disabled).toBe(false))
    expect(screen.queryByTestId('send-doubt')).toBeNull()
    expect(screen.getByTestId('send-address-outcome').textContent).toBe(note)
  })
})

describe('the tokens to choose from', () => {
  beforeEach(async () => {
    await openSendOf(await createConnectedKit())
    await kit.user.click(screen.getByTestId('send-select-token-button'))
    await findView('WalletSendSelectToken')
  })

  it('are found by name, symbol and address', async () => {
    await screen.findByTestId('send-token-tUSD')
    await kit.user.type(screen.getByRole('searchbox'), '0x5fbdb')
    expect(screen.queryByTestId('send-token-ETH')).toBeNull()
    expect(screen.getByTestId('send-token-tUSD')).toBeDefined()
  })

  it('are found by a search when they are suspicious', async () => {
    const doubtful = { ...DOLLAR, symbol: 'FREE', address: `${DOLLAR.address}1`, hidden: 'link' }
    kit.gateway.balances = [ETHER, doubtful]
    await act(() => fetchTokenBalance(kit.hawser).then(() => loadSendBalances(kit.hawser)))
    expect(screen.queryByTestId('send-token-FREE')).toBeNull()
    await kit.user.type(screen.getByTestId('send-token-search-input'), 'free')
    expect(screen.getByTestId('send-token-FREE').textContent).toContain('Name advertises a website')
  })

  it('say when none is found', async () => {
    await screen.findByTestId('send-token-tUSD')
    await kit.user.type(screen.getByRole('searchbox'), 'nothing')
    expect(screen.getByText('No tokens found')).toBeDefined()
  })
})

describe('the preview', () => {
  async function openPreview(connected: Kit, text = '0.100000000000000001') {
    await openSendOf(connected)
    await fillIn('ETH', text)
    await waitFor(() => expect(review().disabled).toBe(false))
    await kit.user.click(review())
    await findView('WalletSendPreview')
  }

  it('shows the amount to the last digit, the whole address and the cost', async () => {
    await openPreview(await createConnectedKit())
    expect(screen.getByTestId('send-preview-amount').textContent).toBe('0.100000000000000001 ETH')
    expect(screen.getByTestId('send-preview-address').textContent).toBe(BOB)
    await screen.findByTitle('0.000021 ETH')
  })

  it.each([
    ['zeroAddress', `0x${'0'.repeat(40)}`],
    ['tokenContract', DOLLAR_ADDRESS],
  ])('warns in the form and before signing, where it needs a tick: %s', async (warning, receiver) => {
    await openSendOf(await createConnectedKit())
    await fillIn('tUSD', '1', receiver)
    await waitFor(() => expect(review().disabled).toBe(false))
    expect(screen.getByTestId('send-address-outcome').textContent).toContain('is lost')
    await kit.user.click(review())
    await findView('WalletSendPreview')
    expect(screen.getByTestId(`send-warning-${warning}`).textContent).toContain('is lost')
    expect(screen.getByTestId('send-preview-contract').textContent).toBe(DOLLAR_ADDRESS)
    await sendsAfterATick()
  })

  it('needs a tick where the simulation shows a danger', async () => {
    const connected = await createConnectedKit()
    connected.gateway.simulate = () => ({
      outcome: 'OUTCOME_SUCCEEDS',
      warnings: [{ severity: 'SEVERITY_DANGER', text: 'All leaves.' }],
    })
    await openPreview(connected)
    await screen.findByText('All leaves.')
    await sendsAfterATick()
  })

  it.each([
    ['answered', 'succeeds'],
    ['failed', 'unavailable'],
  ])('ignores presses until the simulation has %s', async (end, settled) => {
    const connected = await createConnectedKit()
    const answered = deferred<{ outcome: 'OUTCOME_SUCCEEDS' }>()
    connected.gateway.simulate = () => answered.promise
    await openPreview(connected)
    expect([confirm().getAttribute('aria-busy'), confirm().disabled]).toEqual(['true', true])
    await kit.user.click(confirm())
    expect(kit.hawser.send.getState().status).toBe('draft')
    if (end === 'answered') answered.resolve({ outcome: 'OUTCOME_SUCCEEDS' })
    else answered.reject(new Refusal(503, 'PREVIEW_UNAVAILABLE'))
    await waitFor(() => expect(screen.getByTestId('signing-preview').dataset.state).toBe(settled))
    await confirmSend()
    await findView('TransactionStatus')
  })

  it('shows nothing of the draft before an edit, and reads a new preview', async () => {
    const connected = await createConnectedKit()
    await openPreview(connected)
    await waitFor(() => expect(confirm().getAttribute('aria-busy')).toBeNull())
    await kit.user.click(screen.getByTestId('send-cancel-button'))
    await findView('WalletSend')
    const quote = deferred<string>()
    await kit.user.clear(amount())
    await kit.user.type(amount(), '0.2')
    kit.gateway.node.eth_estimateGas = () => quote.promise
    kit.gateway.simulate = () => ({
      outcome: 'OUTCOME_SUCCEEDS',
      warnings: [{ severity: 'SEVERITY_DANGER', text: 'All leaves.' }],
    })
    await waitFor(() => expect(review().disabled).toBe(false))
    await kit.user.click(review())
    await findView('WalletSendPreview')
    await kit.user.click(confirm())
    await screen.findByText('All leaves.')
    expect([confirm().disabled, kit.hawser.send.getState().status]).toEqual([true, 'draft'])
    quote.resolve('0x5208')
  })

  async function sendsAfterATick() {
    const send = confirm()
    await waitFor(() => expect(send.getAttribute('aria-busy')).toBeNull())
    expect([send.textContent, send.dataset.variant, send.disabled]).toEqual(['Send anyway', 'danger', true])
    expect(screen.getByTestId('send-cancel-button').dataset.variant).toBe('primary')
    await kit.user.click(screen.getByTestId('send-danger-accept'))
    await kit.user.click(send)
    await findView('TransactionStatus')
  }

  it('warns of sending to oneself', async () => {
    await openSendOf(await createConnectedKit())
    await fillIn('ETH', '0.1', ALICE)
    await waitFor(() => expect(review().disabled).toBe(false))
    await kit.user.click(review())
    await findView('WalletSendPreview')
    expect(screen.getByTestId('send-warning-ownAddress').textContent).toContain('your own address')
  })

  it('sends: says that the transaction started, and how it ended, with its hash and the explorer', async () => {
    const connected = await createConnectedKit()
    let receipt: unknown = null
    connected.gateway.node.eth_getTransactionReceipt = () => receipt
    await openPreview(connected)
    await confirmSend()
    await findView('TransactionStatus')
    expect(screen.getByTestId('transaction-label').textContent).toBe('Transaction started')
    expect(screen.queryByTestId('wui-snackbar-message')).toBeNull()
    const sent = connected.wallet.calls.find(({ method }) => method === 'eth_sendTransaction')
    expect(sent?.params[0]).toMatchObject({ from: ALICE, to: BOB, value: '0x16345785d8a0001' })
    expect(kit.hawser.send.getState().token).toBeUndefined()

    receipt = { status: '0x1' }
    await kit.advance(2_000)
    await waitFor(() =>
      expect(screen.getByTestId('transaction-label').textContent).toBe(
        'Sent 0.100000000000000001 ETH to 0x709979…dc79C8',
      ),
    )
    const hash = `0x${'ab'.repeat(32)}`
    expect(screen.getByTestId('transaction-hash').title).toBe(hash)
    expect(screen.getByTestId('transaction-explorer').getAttribute('href')).toBe(
      `https://explorer.test/tx/${hash}`,
    )
    await kit.user.click(screen.getByTestId('transaction-done-button'))
    await findView('Account')
  })

  it('says that the transaction reverted', async () => {
    const connected = await createConnectedKit()
    connected.gateway.node.eth_getTransactionReceipt = () => ({ status: '0x0' })
    await openPreview(connected)
    await confirmSend()
    await findView('TransactionStatus')
    await waitFor(() =>
      expect(screen.getByTestId('transaction-label').textContent).toBe('Transaction reverted'),
    )
  })

  it('says that the network no longer knows it, and does not offer to pay twice', async () => {
    const connected = await createConnectedKit()
    const shown = { from: ALICE, to: BOB, nonce: '0x1', value: '0x16345785d8a0001', input: '0x' }
    let isKnown = true
    Object.assign(connected.gateway.node, {
      eth_getTransactionReceipt: () => null,
      eth_getTransactionByHash: () => (isKnown ? { ...shown, hash: `0x${'ab'.repeat(32)}` } : null),
      eth_getTransactionCount: () => '0x1',
      eth_blockNumber: () => '0x64',
    })
    await openPreview(connected)
    await confirmSend()
    await findView('TransactionStatus')
    await kit.advance(10_000)
    isKnown = false
    await kit.advance(400_000)
    await waitFor(() =>
      expect(screen.getByTestId('transaction-label').textContent).toBe(
        'The network no longer knows this transaction',
      ),
    )
    expect(screen.queryByTestId('transaction-again-button')).toBeNull()
  })

  it('stays while the wallet prompts, and can be discarded', async () => {
    const connected = await createConnectedKit()
    connected.wallet.answers.eth_sendTransaction = () => deferred().promise
    await openPreview(connected)
    const view = await findView('WalletSendPreview')
    await confirmSend()
    await waitFor(() =>
      expect(screen.getByTestId('send-caution').textContent).toBe('Confirm transaction in your wallet'),
    )
    expect(await findView('WalletSendPreview')).toBe(view)
    expect(screen.queryByTestId('wui-snackbar-message')).toBeNull()
    await kit.user.click(screen.getByTestId('send-stop-button'))
    await findView('Account')
  })

  it('keeps the draft when the visitor declines, and says that nothing was sent', async () => {
    const connected = await createConnectedKit()
    connected.wallet.answers.eth_sendTransaction = () => {
      throw walletError(4001, 'User rejected the request.')
    }
    await openPreview(connected)
    const view = await findView('WalletSendPreview')
    await confirmSend()
    await waitFor(() => expect(kit.hawser.send.getState().status).toBe('declined'))
    expect(await findView('WalletSendPreview')).toBe(view)
    expect(screen.getByTestId('send-preview-amount').textContent).toBe('0.100000000000000001 ETH')
    const toast = await screen.findByTestId('wui-snackbar-message')
    expect(toast.textContent).toBe('You declined. Nothing was sent.')
    expect(toast.closest('[role=alert]')).toBeNull()
    await kit.user.click(screen.getByTestId('send-cancel-button'))
    await findView('WalletSend')
    expect(amount().value).toBe('0.100000000000000001')
  })

  it('says so when the draft cannot be sent any more', async () => {
    const connected = await createConnectedKit()
    await openPreview(connected)
    connected.hawser.sessions.clear()
    await confirmSend()
    expect((await screen.findByRole('alert')).textContent).toBe('Something went wrong')
    await findView('WalletSendPreview')
  })

  it('is left by Cancel with the draft kept', async () => {
    await openPreview(await createConnectedKit())
    await kit.user.click(screen.getByTestId('send-cancel-button'))
    await findView('WalletSend')
    expect(amount().value).toBe('0.100000000000000001')
  })
})
