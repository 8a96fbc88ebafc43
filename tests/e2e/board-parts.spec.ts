import { listAxeProblems } from './axe.ts';
import { expect, test } from './fixture.ts';

const columns = [
  { name: 'name', type: 'text' },
  { name: 'guests', type: 'number' },
  { name: 'kind', type: 'text' },
];

test('a person tests a link, refreshes its dataset, which cannot be edited, and deletes the link', async ({
  console: page,
  thalamus,
}) => {
  const call = (operation: string, input: object) => thalamus.call(thalamus.ownerKey, operation, input);
  thalamus.json.put({ id: 'n1', name: 'Cog', notes: '' });
  const { board_id } = await call('create_board', { name: 'Parts' });
  const target = { kind: 'http_json', ref: { url: `${thalamus.json.url}/items/all` }, display_name: 'Warehouse' };
  const { id: link_id } = await call('create_board_link', { board_id, ...target });
  const filled = { dataset_name: 'items', adapter_op: 'http_json.list', dedupe_key_field: 'id' };
  await call('create_dataset_recipe', { link_id, ...filled });
  await page.goto(`/boards/${String(board_id)}`);
  const links = page.getByRole('region', { name: 'Links' });
  await expect(links).toContainText('not read yet');
  await links.getByRole('button', { name: 'Test Warehouse' }).click();
  await expect(page.getByText('The link works')).toBeVisible();
  await links.getByRole('button', { name: 'Refresh items' }).click();
  const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
  await expect(cell('Cog')).toHaveCount(1);
  await expect(links).toContainText('1 row, read');
  await cell('Cog').click();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'name', exact: true })).toHaveCount(0);
  expect(await listAxeProblems(page)).toEqual([]);
  await links.getByRole('button', { name: 'Delete link Warehouse' }).click();
  await page.getByRole('button', { name: 'Delete link', exact: true }).click();
  await expect(links).toHaveCount(0);
  await expect(cell('Cog')).toHaveCount(1);
});

test('a person makes a form, somebody without an account adds a row without scripts, and a closed form says so', async ({
  console: page,
  thalamus,
  browser,
}) => {
  const call = (operation: string, input: object) => thalamus.call(thalamus.ownerKey, operation, input);
  const { board_id } = await call('create_board', { name: 'Dinner', datasets: { default: { columns } } });
  await page.goto(`/boards/${String(board_id)}`);
  const more = page.getByRole('button', { name: 'More actions for this board' });
  await more.press('Enter');
  await page.getByRole('menuitem', { name: 'New form' }).press('Enter');
  await page.getByLabel('Title').fill('Come to dinner');
  await page.getByLabel('Introduction').fill('At eight.');
  for (const name of ['name', 'guests']) await page.getByRole('checkbox', { name, exact: true }).check();
  expect(await listAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create form' }).click();
  const address = await page.getByLabel('address of the form', { exact: true }).textContent();
  await page.getByRole('button', { name: 'Done' }).click();
  const forms = page.getByRole('region', { name: 'Forms' });
  await expect(forms).toContainText('0 rows in default');

  const stranger = await browser.newContext({ javaScriptEnabled: false });
  const sheet = await stranger.newPage();
  await sheet.goto(String(address));
  await expect(sheet.getByRole('heading', { level: 1 })).toHaveText('Come to dinner');
  await sheet.getByLabel('name').fill('Grace');
  await sheet.getByLabel('guests').fill('many');
  await sheet.getByRole('button', { name: 'Send' }).click();
  await expect(sheet.getByRole('alert')).toHaveText('guests: Write a number, such as 12.5.');
  await expect(sheet.getByLabel('name')).toHaveValue('Grace');
  await sheet.getByLabel('guests').fill('3');
  await sheet.getByRole('button', { name: 'Send' }).click();
  await expect(sheet.getByRole('status')).toHaveText('It was sent.');
  await expect(page.getByRole('gridcell', { name: 'Grace', exact: true })).toHaveCount(1);
  await expect(forms).toContainText('1 row in default');
  await forms.getByRole('button', { name: 'Close form Come to dinner' }).click();
  await page.getByRole('button', { name: 'Close form', exact: true }).click();
  await expect(forms).toContainText('Closed');
  await sheet.goto(String(address));
  await expect(sheet.getByRole('alert')).toContainText('This form is closed.');
  await stranger.close();
});

test('a person adds a skill, learns that it needs a model, and deletes it', async ({ console: page, thalamus }) => {
  const call = (operation: string, input: object) => thalamus.call(thalamus.ownerKey, operation, input);
  const rows = [{ name: 'We need 500 pumps' }];
  const { board_id } = await call('create_board', { name: 'Leads', datasets: { default: { columns, rows } } });
  await page.goto(`/boards/${String(board_id)}`);
  await page.getByRole('button', { name: 'More actions for this board' }).click();
  await page.getByRole('menuitem', { name: 'New skill' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Sort');
  await page.getByLabel('Instruction').fill('Say whether it is an order or spam.');
  const choose = (list: string, name: string) =>
    page.getByRole('group', { name: list }).getByRole('checkbox', { name, exact: true }).check();
  await choose('Columns it sees (none: all)', 'name');
  await choose('Columns it fills', 'kind');
  await page.getByRole('button', { name: 'Create skill' }).click();
  const skills = page.getByRole('region', { name: 'Skills' });
  await expect(skills).toContainText('Fills kind in default from name.');
  await skills.getByRole('button', { name: 'Run Sort' }).click();
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('No language model is set');
  expect(await listAxeProblems(page)).toEqual([]);
  await skills.getByRole('button', { name: 'Delete skill Sort' }).click();
  await page.getByRole('button', { name: 'Delete skill', exact: true }).click();
  await expect(skills).toHaveCount(0);
});
