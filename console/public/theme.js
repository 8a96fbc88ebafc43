// Runs before the first paint, so that a chosen theme does not flash. Without a choice the system's theme applies.
(() => {
  const chosen = localStorage.getItem('thalamus.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
})();
