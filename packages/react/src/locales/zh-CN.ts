export { zhCN } from '@hawser/texts/locales/zh-CN'
