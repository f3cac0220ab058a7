export { zhCN } from '@hawser/texts/modal/locales/zh-CN'
