import { expect, test } from 'vitest';
import { convertMarkdown } from './markdown.ts';

test.each([
  ['**Bold** and ~~gone~~', '*Bold* and ~gone~'],
  [
    '[a link](https://x.example/a_b) [mail](mailto:a@b.example "title")',
    '<https://x.example/a_b|a link> <mailto:a@b.example|mail>',
  ],
  ['[**bold** link](https://x.example/a(1))', '<https://x.example/a(1)|*bold* link>'],
  ['![chart](https://x.example/i.png)', '<https://x.example/i.png|chart>'],
  ['[a < b](https://x.example/a|b)', '<https://x.example/a%7Cb|a &lt; b>'],
  ['# Plan\ntext\n## **Next** #', '*Plan*\ntext\n*Next*'],
  ['***both***', '_*both*_'],
  ['- **one**\n> **two**\n1. ~~three~~', '- *one*\n> *two*\n1. ~three~'],
  ['**over\ntwo lines**', '*over\ntwo lines*'],
])('the Markdown «%s» becomes «%s» in Slack, and converting it again changes nothing', (markdown, markup) => {
  expect(convertMarkdown(markdown)).toBe(markup);
  expect(convertMarkdown(markup)).toBe(markup);
});

test.each([
  '*bold* _italic_ ~struck~ `**code**` snake_case_name __init__ 2 ** 3 ** 4',
  '<https://x.example|a link> <https://x.example> https://x.example/a_b_c <@U0123> <#C1|general> <!here>',
  '```\n**not bold**\n# no heading\n```\n> quoted 1 < 2 & 3',
  '[a](b) [c] (d) #general #5 [x](javascript:alert)',
  String.raw`\*\*as it is\*\*`,
  'a**b**'.repeat(5_000),
])('the text «%s» is Slack’s own markup, and is not changed', (text) => {
  expect(convertMarkdown(text)).toBe(text);
});
