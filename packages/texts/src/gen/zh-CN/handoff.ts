// Generated from packages/texts/languages by make generate. Do not edit.

import type { HandoffTexts } from '../types.ts'

/** The texts of the wallet page in Simplified Chinese. */
export const texts: HandoffTexts = {
  title: '连接您的钱包',
  site: '该网站',
  loading: '加载中…',
  tryAgain: '重试',
  finding: { title: '正在查找您的钱包' },
  noWallet: { title: '这里没有钱包', text: '此浏览器没有钱包。请在您钱包应用的浏览器中打开此链接。', copy: '复制链接', copied: '链接已复制', notCopied: '请从这里复制链接：' },
  choosing: { title: '您想使用哪个钱包？' },
  taken: { title: '已先在别处打开', text: '另一台设备先打开了此链接。如果不是您本人，请不要在另一个屏幕上确认任何内容。请在网站上获取新的二维码。' },
  expired: { title: '此链接已过期', text: '请在网站上获取新的二维码并扫描。' },
  unreached: { title: '无法连接', text: '请检查网络连接后重试。' },
  comparing: { title: '比较数字', asks: (site) => `${site} 想连接您的钱包。`, number: '您的数字', question: '另一个屏幕显示的数字相同吗？', confirm: '是，相同', differ: '否，不同', waiting: '正在等待另一个屏幕…' },
  waiting: { title: '请在另一个屏幕上确认', text: '然后您的钱包会询问要共享哪个账户。' },
  asking: { title: '在您的钱包中继续', text: (site) => `您的钱包正在询问要与 ${site} 共享哪个账户。` },
  declined: { title: '未连接', differ: '数字不同，可能有其他人打开了此链接。没有共享任何信息。请在网站上获取新的二维码。', text: '没有与该网站共享任何信息。', unsupported: '您的钱包没有该网站使用的网络。' },
  connected: { title: '已连接', keepOpen: '使用网站时请保持此页面打开。', account: '账户', network: '网络', wallet: '钱包', disconnect: '断开连接', disconnectFrom: (site) => `与 ${site} 断开连接`, notStored: '此浏览器不保存任何内容。关闭此页面后连接即结束。', lost: '连接已断开，正在重新连接…', resumed: '已重新连接', others: '其他网站' },
  ended: { title: '已断开连接', text: '要再次连接，请在网站上获取新的二维码。' },
  request: { kind: { message: '签署消息', data: '签署数据', send: '发送交易', transaction: '签署交易', permission: '授予权限', other: '请求' }, asks: (site) => `${site} 请求执行此操作。`, give: '在您的钱包中继续', reject: '拒绝', given: '请在您的钱包中确认', more: (count) => `还有 ${count} 个请求在等待`, done: '已完成。您可以在网站上继续。', refused: '已拒绝。没有签署任何内容。', failed: '您的钱包无法执行此操作。', lost: '询问钱包时页面被重新加载。请在钱包中查看是否已执行。' },
  preview: { checking: '正在检查这会产生什么作用…', unchecked: '无法检查。实际作用可能多于所示内容。', fails: '这会失败。', leaves: '转出', arrives: '转入', mayTake: '可以使用', mayNoLongerTake: '不能再使用', all: (token) => `全部 ${token}`, tokens: '代币', baseUnits: '基本单位', to: '收款方', amount: '数量', message: '消息', details: '详情', deploys: '创建合约' },
}
