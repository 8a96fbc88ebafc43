import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';

const columns = [
  { name: 'customer', type: 'text' },
  { name: 'amount', type: 'number' },
  { name: 'paid', type: 'boolean' },
];
const rows = [
  { row_id: 'inv-1', customer: 'Ada', amount: 1200, paid: false },
  { row_id: 'inv-2', customer: 'Bob', amount: 80 },
  { row_id: 'inv-3', customer: 'Cem' },
];

test('a person edits the cells of a board by keyboard, filters, deletes a row and takes that back', async ({
  console: page,
  thalamus,
}) => {
  const call = (operation: string, input: object) => thalamus.call(thalamus.ownerKey, operation, input);
  const { board_id } = await call('create_board', { name: 'Invoices', datasets: { default: { columns, rows } } });
  await page.goto(`/boards/${String(board_id)}`);
  const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
  await cell('Ada').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('12x');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Write a number, such as 12.5.');
  expect(await listAxeProblems(page)).toEqual([]);
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(cell('12')).toHaveCount(1);
  // The focus is on the amount below: F2 keeps what is there, Tab goes on to the next cell.
  await page.keyboard.press('F2');
  await page.keyboard.type('1');
  await page.keyboard.press('Tab');
  await page.keyboard.type('yes');
  await page.keyboard.press('Enter');
  await expect(cell('801')).toHaveCount(1);
  await expect(cell('Yes')).toHaveCount(1);
  await cell('Cem').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type(' and sons');
  await page.keyboard.press('Escape');
  await expect(cell('Cem')).toBeFocused();
  await cell('Bob').focus();
  await page.keyboard.press('Delete');
  await expect(cell('Bob')).toHaveCount(0);
  const query = async () => ((await call('query_board_rows', { board_id }))['rows'] as object[]).slice(0, 3);
  await expect.poll(query).toMatchObject([
    { row_id: 'inv-1', customer: 'Ada', amount: 12 },
    { row_id: 'inv-2', customer: null, amount: 801, paid: true },
    { row_id: 'inv-3', customer: 'Cem' },
  ]);

  await page.getByRole('searchbox', { name: 'Filter rows' }).click();
  await page.keyboard.type('ada');
  await expect(page.getByText('1 of 3 rows')).toBeVisible();
  await expect(cell('Cem')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(cell('Cem')).toHaveCount(1);

  await cell('Delete row Ada').click();
  await expect(cell('Ada')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cell('Ada')).toHaveCount(1);

  await page.getByRole('button', { name: 'Add row' }).click();
  await expect(page.getByText('4 rows')).toBeVisible();
});

test('two people change one row, and the later one sees what the other wrote', async ({ console: page, thalamus }) => {
  const call = (operation: string, input: object) => thalamus.call(thalamus.ownerKey, operation, input);
  const { board_id } = await call('create_board', { name: 'Shared', datasets: { default: { columns, rows } } });
  await page.goto(`/boards/${String(board_id)}`);
  const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
  await cell('Ada').click();
  await page.keyboard.press('Enter');
  await call('update_board_row', { board_id, row_id: 'inv-1', patch: { amount: 77 } });
  await expect(cell('77')).toHaveCount(1);
  await page.keyboard.type(' Lovelace');
  await page.keyboard.press('Enter');
  await expect(cell('Ada Lovelace')).toHaveCount(1);
  const query = async () => (await call('query_board_rows', { board_id }))['rows'];
  await expect.poll(query).toMatchObject([{ customer: 'Ada Lovelace', amount: 77 }, {}, {}]);
});

test('a board fits a phone, where the second tap on a cell edits it', async ({ console: page, thalamus }) => {
  const call = (operation: string, input: object) => thalamus.call(thalamus.ownerKey, operation, input);
  const { board_id } = await call('create_board', { name: 'Narrow', datasets: { default: { columns, rows } } });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/boards/${String(board_id)}`);
  const bob = page.getByRole('gridcell', { name: 'Bob', exact: true });
  await bob.click();
  await bob.click();
  await page.getByRole('textbox', { name: 'customer' }).fill('Bobby');
  await page.getByRole('heading', { level: 1 }).click();
  await expect(page.getByRole('gridcell', { name: 'Bobby', exact: true })).toHaveCount(1);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(await listAxeProblems(page)).toEqual([]);
});
